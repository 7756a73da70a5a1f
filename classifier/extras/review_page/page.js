"use strict";

// What is on the screen: one paper, its labels, the keys, and messages.

const part = (id) => document.getElementById(id);
const MAX_CHOICES = 6;
let paper; // on the screen
let labels; // of that paper, as the reviewer changed them
let changed = new Set(); // the facets that the reviewer set
let skipped = [];

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(text, isProblem = false) {
  part("status").textContent = text;
  part("status").className = isProblem ? "problem" : "";
}

const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const names = (facet, ids) => ids.map((id) => nameOf(facet, id)).join(", ");
const waitingNow = () => data.papers.filter(waits).length;

// --- what is shown ---

function showCounts() {
  const left = data.papers.filter(isOpen).length;
  const wait = data.blind ? "" : `, ${waitingNow().toLocaleString("en")} of them wait`;
  const parts = [`${answers.size} answered`, `${left.toLocaleString("en")} left${wait}`];
  if (unsaved().length) parts.push(`${unsaved().length} not saved`);
  part("counts").textContent = parts.join(" · ");
  part("undo").disabled = !answers.size;
  part("save").disabled = part("copy").disabled = part("send").disabled = !answers.size;
}

function showNext() {
  paper = orderPapers(skipped, inOrder().at(-1)?.[1].primary || "")[0];
  showPaper(dueCue());
}

// Shows the paper, or the question on a cue where there is one.
function showPaper(cue = "") {
  showCounts();
  showGiven();
  for (const name of ["note", "remark", "exclude"]) part(name).value = "";
  part("more").open = false;
  part("keep").checked = true;
  if (cue) paper = undefined;
  document.querySelector("main").hidden = !paper;
  part("cue").hidden = !cue;
  part("skip").hidden = Boolean(cue);
  cueId = "";
  if (cue) return showCue(cue);
  if (!paper) return say(`${part("status").textContent} Nothing is left. Save your answers.`.trim());
  changed = new Set();
  labels = currentLabels(paper);
  const link = element("a", paper.title, { rel: "noreferrer", target: "_blank" });
  if (/^https?:/.test(paper.url)) link.href = paper.url;
  part("title").replaceChildren(link);
  part("about").textContent = paper.about;
  part("abstract").replaceChildren(...paper.abstract.map(([text, category]) =>
    category ? element("mark", text, { title: `cue of ${category}` }) : document.createTextNode(text)));
  if (!paper.abstract.length) part("abstract").textContent = "No abstract: judge by the title.";
  const moved = paper.moved && !data.blind ? `Was ${nameOf(first, paper.cells.primary)} before your answers. ` : "";
  part("why").textContent = moved + (paper.excluded ? `${paper.excluded}. ` : "") + (paper.why ? `Why this paper: ${paper.why}` : "");
  part("withdraw").hidden = !paper.reviewers.includes(reviewer);
  showLabels();
  showAnswers();
  part("title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function showLabels() {
  const asked = data.facets.filter((facet) => isAsked(facet, labels.lists[first.id]));
  const isEmpty = (facet) => !labels.lists[facet.id].length && !changed.has(facet.id);
  part("labels").replaceChildren(...asked.filter((each) => !isEmpty(each)).map(facetBox));
  const empty = asked.filter(isEmpty);
  if (!empty.length) return;
  const box = element("details", "", { class: "empty" });
  const what = data.blind ? "Give labels" : "Nothing stated";
  box.append(element("summary", `${what}: ${empty.map((each) => each.name).join(", ")}`));
  box.append(...empty.map(facetBox));
  part("labels").append(box);
}

function facetBox(facet) {
  const box = element("details", "", { class: "facet", "data-facet": facet.id });
  const summary = element("summary", "");
  summary.append(element("b", facet.name), " ", element("span", facetText(facet)));
  if (changed.has(facet.id)) summary.append(" ", element("em", "changed"));
  box.append(summary);
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(...facetOptions(facet));
  });
  return box;
}

function facetText(facet) {
  const ids = labels.lists[facet.id];
  if (!ids.length) return "–";
  if (facet !== first || facet.single) return names(facet, ids);
  const others = ids.filter((id) => id !== labels.primary);
  const status = changed.has(first.id) || data.blind ? "" : ` (${paper.cells.status})`;
  const also = others.length ? `, also ${names(facet, others)}` : "";
  return `${nameOf(facet, labels.primary)}${status}${also}`;
}

function facetOptions(facet) {
  const options = facet.categories.map((category) => {
    const input = element("input", "", { type: "checkbox", value: category.id });
    input.checked = labels.lists[facet.id].includes(category.id);
    const label = element("label", "", { title: category.definition });
    if (category.id !== category.top) label.className = "child";
    label.append(input, ` ${category.name}`);
    input.addEventListener("change", () => setCategory(facet, category, input.checked));
    return label;
  });
  return options;
}

function setCategory(facet, category, isOn) {
  let ids = labels.lists[facet.id];
  if (isOn && facet.single) ids = [];
  if (isOn) ids = [...new Set([...ids, category.top, category.id])];
  else ids = ids.filter((id) => id !== category.id && !(category.id === category.top && topOf(facet, id) === category.top));
  let primary = labels.primary;
  if (facet === first && !topsOf(first, ids).includes(primary)) primary = topOf(first, ids[0] || "");
  labels = { primary, lists: { ...labels.lists, [facet.id]: ids } };
  changed.add(facet.id);
  const box = document.querySelector(`[data-facet="${facet.id}"]`);
  box.querySelector("summary span").textContent = facetText(facet);
  for (const input of box.querySelectorAll("input")) input.checked = ids.includes(input.value);
  if (facet === first) showAnswers();
}

function showAnswers() {
  const ok = element("button", "", { "data-key": "o" });
  const what = data.blind ? "These labels" : changed.size ? "Right, as I changed them" : "All labels are right";
  ok.append(element("kbd", "o"), ` ${what}`);
  ok.addEventListener("click", answerOk);
  const chance = (id) => (paper.now || paper.chances)[first.tops.indexOf(id)] || 0;
  let others = first.tops.filter((id) => id !== first.outside && (data.blind || id !== labels.primary));
  if (!data.blind) others = [...others].sort((one, other) => chance(other) - chance(one)).slice(0, MAX_CHOICES);
  const buttons = others.map((id, at) => choice(id, at < 9 ? String(at + 1) : "", chance(id)));
  if (first.outside && first.outside !== labels.primary) buttons.push(choice(first.outside, "x", chance(first.outside)));
  part("answers").replaceChildren(...(data.blind && !changed.size ? [] : [ok]), ...buttons);
  part("answers").classList.toggle("many", buttons.length > 8);
}

function choice(id, key, chance) {
  const button = element("button", "", { title: first.categories.find((each) => each.id === id).definition });
  if (key) {
    button.dataset.key = key;
    button.append(element("kbd", key), " ");
  }
  button.append(nameOf(first, id));
  if (!data.blind) button.append(" ", element("small", `${Math.round(100 * chance)} %`));
  button.addEventListener("click", () => fileUnder(id));
  return button;
}

function showGiven() {
  const items = inOrder().reverse().map(([id, answer]) => {
    const item = element("li", `${answerTitle(id)}: ${answer.text} `);
    const back = element("button", "Take back", { "aria-label": `Take back the answer on ${answerTitle(id)}` });
    back.addEventListener("click", () => takeBack(id));
    item.append(back);
    return item;
  });
  part("given").querySelector("summary").textContent = `Answers (${answers.size})`;
  part("given").querySelector("ol").replaceChildren(...items);
}

// --- answers ---

function answerOk() {
  const facets = new Set(changed);
  if (paper.moved && !data.blind) facets.add(first.id);
  const problem = problemWith(labels, facets) || (data.blind || labels.primary ? "" : "No label is shown: choose a category.");
  if (problem) return say(problem, true);
  const verdict = data.blind ? {} : { verdict: "ok" };
  const text = facets.size ? describe(facets) : "all labels are right";
  give({ ...verdict, ...cellsFor(labels, facets) }, text, labels);
}

function fileUnder(id) {
  const isAsBuilt = !paper.moved && !changed.has(first.id) && !data.blind;
  // Without a shown label there is none to keep: on a blind page, and in some conflicts.
  const keeps = part("keep").checked && (paper.cells.primary || changed.has(first.id));
  const filed = filedElsewhere(paper, labels, id, keeps);
  const facets = new Set([...changed, first.id]);
  const problem = problemWith(filed, facets);
  if (problem) return say(problem, true);
  let cells = cellsFor(filed, facets);
  if (isAsBuilt && keeps) {
    const { review_topics: _, ...others } = cells;
    cells = { ...others, review_primary: id };
  }
  labels = filed;
  give(cells, describe(facets), filed);
}

function describe(facets) {
  return data.facets.filter((facet) => facets.has(facet.id)).map((facet) => {
    const list = names(facet, labels.lists[facet.id]) || "nothing stated";
    return facet === first ? list : `${facet.name}: ${list}`;
  }).join("; ");
}

function comments() {
  const found = {};
  for (const name of ["note", "remark"]) {
    const text = part(name).value.trim();
    if (text) found[name] = text;
  }
  return found;
}

function give(cells, text, decided) {
  const shown = paper;
  let note = "";
  if (data.blind && shown.primary) note = `The classifier: ${nameOf(first, shown.primary)} (${Math.round(100 * shown.confidence)} %).`;
  if (!giveAnswer(shown.id, { ...comments(), ...cells }, text, decided, note)) return;
  skipped = skipped.filter((id) => id !== shown.id);
}

// Keeps the answer on a paper or a cue, learns from it and shows what comes next.
// Returns whether there was a name to keep it under.
function giveAnswer(id, cells, text, decided, note) {
  if (!reviewer) {
    say("Type your name first: it goes with every answer.", true);
    part("reviewer").focus();
    return false;
  }
  const at = Math.max(Date.now(), ...[...answers.values()].map((answer) => answer.at + 1));
  const topics = decided ? topsOf(first, decided.lists[first.id]) : null;
  const answer = { cells, text, at, topics, primary: decided?.primary || "", saved: false };
  const isKept = putAnswer(id, answer);
  papersSinceCue = hasQuestion(id) ? 0 : papersSinceCue + 1;
  let message = data.blind ? `You: ${text}.` : `${answerTitle(id)}: ${text}.`;
  if (note) message += ` ${note}`;
  if (keepsAnswers && !isKept) message += " This browser kept no copy (its storage is full): save your answers now.";
  say(`${message} ${learnFromAnswers()}`.trim());
  showNext();
  return true;
}

function takeBack(id) {
  removeAnswer(id);
  paper = papers.get(id);
  say(`Taken back. ${learnFromAnswers()}`.trim());
  showPaper(hasQuestion(id) ? id : "");
}

// Learns from all answers, and returns what that changed, in words.
function learnFromAnswers() {
  if (!data.fit || data.blind) return "";
  const before = new Map(data.papers.map((each) => [each.id, currentLabels(each).primary]));
  refit();
  const moves = new Map();
  for (const each of data.papers) {
    const now = currentLabels(each).primary;
    if (isOpen(each) && !each.decided && now !== before.get(each.id)) moves.set(now, (moves.get(now) || 0) + 1);
  }
  const parts = [...moves].map(([id, n]) => `${plural(n, "paper")} moved to ${nameOf(first, id)}`);
  const n = waitingNow();
  parts.push(`${n.toLocaleString("en")} still ${n === 1 ? "waits" : "wait"}`);
  return `${parts.join(", ")}.`;
}

part("cue-yes").addEventListener("click", () => answerCue("yes", "a cue"));
part("cue-no").addEventListener("click", () => answerCue("no", "not a cue"));
part("cue-unsure").addEventListener("click", () => answerCue("unsure", "not sure whether it is a cue"));
part("comment").addEventListener("click", () => {
  const written = Object.values(comments());
  if (!written.length) return say("Write a note or a remark first.", true);
  give({}, written.join(" · "), null);
});
part("leave-out").addEventListener("click", () => {
  const exclude = part("exclude").value.trim();
  if (exclude) return give({ exclude }, `left out: ${exclude}`, null);
  say("Write why it does not belong in the survey.", true);
  part("exclude").focus();
});
part("withdraw").addEventListener("click", () => give({ verdict: "withdraw", reviewer }, "your earlier decision is withdrawn", null));
part("skip").addEventListener("click", () => {
  if (!paper) return;
  skipped = [...skipped.filter((id) => id !== paper.id), paper.id];
  say("Skipped: it comes again at the end.");
  showNext();
});
part("undo").addEventListener("click", () => {
  const last = inOrder().at(-1);
  if (last) takeBack(last[0]);
});

// --- saving ---

part("save").addEventListener("click", () => {
  const link = element("a", "", { download: fileName() });
  link.href = URL.createObjectURL(new Blob([csvText()], { type: "text/csv" }));
  link.click();
  URL.revokeObjectURL(link.href);
  markSaved();
  showCounts();
  say(`${fileName()}: ${plural(answers.size, "answer")}. Send the file to the editors, or run: fieldguide review apply ${fileName()}`);
});
part("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(csvText());
    say(`Copied ${plural(answers.size, "answer")}. Paste them into an issue or a mail; saved as ${fileName()} they can be applied.`);
  } catch {
    say("The browser does not let this page copy. Use “Save answers”.", true);
  }
});
part("send").addEventListener("click", async () => {
  try {
    const headers = { "X-Fieldguide-Token": data.token, "X-Fieldguide-File": fileName(), "Content-Type": "text/csv" };
    const reply = await fetch("/-/review", { method: "POST", headers, body: csvText() });
    const text = await reply.text();
    if (!reply.ok) throw new Error(text);
    markSaved();
    showCounts();
    say(text);
  } catch (error) {
    say(`Not saved: ${error.message}. Use “Save answers”.`, true);
  }
});
addEventListener("beforeunload", (event) => {
  if (unsaved().length) event.preventDefault();
});
addEventListener("storage", (event) => {
  if (!event.key?.startsWith(prefix())) return;
  loadAnswers();
  learnFromAnswers();
  if (cueId ? !answers.has(cueId) : paper && isOpen(paper)) return showCounts();
  say("This was answered in another tab.");
  showNext();
});

// --- keys ---

const FIELDS = { n: "note", r: "remark", e: "exclude" };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Escape") return part(cueId ? "cue-title" : "title").focus();
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  if (FIELDS[event.key] && paper) {
    event.preventDefault();
    part("more").open = true;
    return part(FIELDS[event.key]).focus();
  }
  if (event.key === "d") part("keep").click();
  const button = document.querySelector(`:is(main, #cue, footer):not([hidden]) [data-key="${CSS.escape(event.key)}"]:not([hidden])`);
  if (button) {
    event.preventDefault();
    button.click();
  }
});
part("exclude").addEventListener("keydown", (event) => {
  if (event.key === "Enter") part("leave-out").click();
});
part("reviewer").addEventListener("change", () => {
  const name = part("reviewer").value.trim();
  if (/[;\n]/.test(name)) return say("A name has no semicolon.", true);
  if (answers.size && !keepsAnswers) return say("Save your answers before you change the name.", true);
  reviewer = name;
  loadAnswers();
  learnFromAnswers();
  say(answers.size ? `${plural(answers.size, "answer")} of ${reviewer} from before.` : "");
  showNext();
});

// --- start ---

function warn(text) {
  part("warnings").append(element("p", text));
}

part("reviewer").value = reviewer;
part("send").hidden = !data.token;
part("keeping").hidden = first.single;
if (!keepsAnswers) warn("This browser keeps nothing for this page. Save your answers before you close or reload it.");
if (data.locked) warn("The labels of this survey are locked: published labels stay as they are, whatever your answers teach.");
if (data.leftOut) warn(`This page has the first ${plural(data.papers.length, "paper")} of the queue; ${data.leftOut.toLocaleString("en")} more come with a later page.`);
loadAnswers();
if (answers.size) say(`${plural(answers.size, "answer")} from before. ${learnFromAnswers()}`.trim());
showNext();
if (!reviewer) {
  say("Type your name first: it goes with every answer.");
  part("reviewer").focus();
}
