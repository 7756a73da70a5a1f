"use strict";

// The screen: one paper, its labels, the keys, and messages.

const byId = (id) => document.getElementById(id);
const MAX_CHOICES = 6;
let paper; // the paper on the screen
let labels; // its labels, with the changes of the reviewer
let changed = new Set(); // ids of the facets that the reviewer changed
const skips = new Map(); // id of a skipped paper -> time, the last skip last

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function say(text, isProblem = false) {
  byId("status").textContent = text;
  byId("status").className = isProblem ? "problem" : "";
}

const plural = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const names = (facet, ids) => ids.map((id) => nameOf(facet, id)).join(", ");
const countWaiting = () => data.papers.filter(waits).length;

// --- display ---

function showCounts() {
  const n = data.papers.filter(isUnanswered).length, nCues = [...answers.keys()].filter(isCueQuestion).length, nWaiting = countWaiting();
  const waiting = data.blind || nWaiting === n ? "" : `, ${nWaiting.toLocaleString("en")} of them waiting`;
  const phrases = nCues ? ` and ${plural(nCues, "phrase")}` : "";
  const parts = [`${countPaperAnswers()} answered${phrases}`, `${n.toLocaleString("en")} left${waiting}`];
  if (unsaved().length) parts.push(`${unsaved().length} not saved`);
  byId("counts").textContent = parts.join(" · ");
  byId("undo").disabled = !answers.size && !skips.size;
  byId("save").disabled = byId("copy").disabled = byId("send").disabled = !answers.size;
}

function showNext() {
  paper = orderPapers([...skips.keys()], answersByTime().at(-1)?.[1].primary || "")[0];
  showPaper(nextCueQuestion());
}

// Shows the paper, or the question about a cue if there is one.
function showPaper(cue = "") {
  showCounts();
  showAnswerList();
  if (cue) paper = undefined;
  const answer = answers.get(paper?.id), texts = { ...answer?.cells, ...drafts.get(paper?.id) };
  for (const name of TEXTS) byId(name).value = texts[name] || "";
  byId("more").open = TEXTS.some((name) => texts[name]);
  byId("keep").checked = true;
  document.querySelector("main").hidden = !paper;
  byId("cue").hidden = !cue;
  byId("skip").hidden = Boolean(cue);
  cueId = "";
  if (cue) return showCue(cue);
  if (!paper) return say(`${byId("status").textContent} All papers are answered. Save your answers.`.trim());
  const earlier = data.blind ? {} : answer; // no hidden option keeps an earlier answer as a topic
  changed = new Set(earlier?.changed);
  labels = earlier?.labels || currentLabels(paper);
  const link = element("a", paper.title, { rel: "noreferrer", target: "_blank" });
  if (/^https?:/.test(paper.url)) link.href = paper.url;
  byId("title").replaceChildren(link);
  byId("about").textContent = paper.about;
  byId("abstract").replaceChildren(...paper.abstract.map(([text, category]) =>
    category ? element("mark", text, { title: `cue of ${category}` }) : document.createTextNode(text)));
  byId("marks").textContent = paper.marks;
  if (!paper.abstract.length) byId("abstract").textContent = "No abstract: decide by the title.";
  const moved = paper.movedLabels && !data.blind ? `Its primary was ${nameOf(first, paper.cells.primary)} before your answers. ` : "";
  byId("why").textContent = moved + paper.why;
  byId("withdraw").hidden = !paper.reviewers.includes(reviewer);
  byId("more-summary").textContent = `Note, remark, exclude${byId("withdraw").hidden ? "" : ", withdraw"}`;
  showLabels();
  showAnswerButtons();
  byId("title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function showLabels() {
  const facets = data.facets.filter((facet) => facetApplies(facet, labels.lists[first.id]));
  const isEmpty = (facet) => !labels.lists[facet.id].length && !changed.has(facet.id);
  byId("labels").replaceChildren(...facets.filter((each) => !isEmpty(each)).map(facetBox));
  const empty = facets.filter(isEmpty);
  if (!empty.length) return;
  const box = element("details", "", { class: "empty" });
  const heading = data.blind ? "Choose labels" : "Nothing stated";
  box.append(element("summary", `${heading}: ${empty.map((each) => each.name).join(", ")}`));
  box.append(...empty.map(facetBox));
  byId("labels").append(box);
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
  return facet.categories.map((category) => {
    const input = element("input", "", { type: "checkbox", value: category.id });
    input.checked = labels.lists[facet.id].includes(category.id);
    const label = element("label", "", { title: category.definition });
    if (category.id !== category.top) label.className = "child";
    label.append(input, ` ${category.name}`);
    input.addEventListener("change", () => setCategory(facet, category, input.checked));
    return label;
  });
}

function setCategory(facet, category, isOn) {
  let ids = labels.lists[facet.id];
  if (isOn && facet.single) ids = [];
  if (isOn) ids = [...new Set([...ids, category.top, category.id])];
  else ids = ids.filter((id) => id !== category.id && !(category.id === category.top && topOf(facet, id) === category.top));
  let primary = labels.primary;
  if (facet === first && !topsOf(first, ids).includes(primary)) primary = topOf(first, ids[0] || "");
  const isTooMany = isOn && facet.atMost && topsOf(facet, ids).length > facet.atMost;
  if (isTooMany) say(tooMany(facet), true);
  else {
    labels = { primary, lists: { ...labels.lists, [facet.id]: ids } };
    changed.add(facet.id);
  }
  const box = document.querySelector(`[data-facet="${facet.id}"]`);
  box.querySelector("summary span").textContent = facetText(facet);
  for (const input of box.querySelectorAll("input")) input.checked = labels.lists[facet.id].includes(input.value);
  if (facet === first) showAnswerButtons();
}

function showAnswerButtons() {
  const ok = element("button", "", { "data-key": "o" });
  const text = data.blind ? "Save these labels" : changed.size ? "The changed labels are right" : "All labels are right";
  ok.append(element("kbd", "o"), ` ${text}`);
  ok.addEventListener("click", approveLabels);
  const probability = (id) => (paper.newProbabilities || paper.probabilities)[first.tops.indexOf(id)] || 0;
  let others = first.tops.filter((id) => id !== first.outOfScope && (data.blind || id !== labels.primary));
  if (!data.blind) others = [...others].sort((one, other) => probability(other) - probability(one)).slice(0, MAX_CHOICES);
  const buttons = others.map((id, n) => categoryButton(id, n < 9 ? String(n + 1) : "", probability(id)));
  if (first.outOfScope && first.outOfScope !== labels.primary) buttons.push(categoryButton(first.outOfScope, "x", probability(first.outOfScope)));
  byId("answers").replaceChildren(...(data.blind && !changed.size ? [] : [ok]), ...buttons);
  byId("answers").classList.toggle("many", buttons.length > 8);
  const mayKeep = !data.blind && !first.single && first.atMost !== 1 && labels.primary !== first.outOfScope;
  byId("keep-option").hidden = !mayKeep || !labels.primary;
  byId("keep-name").textContent = nameOf(first, labels.primary);
}

function categoryButton(id, key, probability) {
  const button = element("button", "", { title: categoryOf(first, id).definition });
  if (key) {
    button.dataset.key = key;
    button.append(element("kbd", key), " ");
  }
  button.append(nameOf(first, id));
  if (!data.blind) button.append(" ", element("small", `${Math.round(100 * probability)} %`));
  button.addEventListener("click", () => fileUnder(id));
  return button;
}

function showAnswerList() {
  const ids = new Set([...answersByTime().reverse().map(([id]) => id), ...drafts.keys()]);
  const items = [...ids].map((id) => {
    const item = element("li", `${answerTitle(id)}: ${answerText(id)} `);
    const actions = { Change: changeAnswer, ...(answers.has(id) && { Undo: undoAnswer }) };
    for (const [name, action] of Object.entries(actions)) {
      const button = element("button", name, { "aria-label": `${name} the answer on ${answerTitle(id)}` });
      button.addEventListener("click", () => action(id));
      item.append(button, " ");
    }
    return item;
  });
  byId("answer-list").querySelector("summary").textContent = `Answers (${ids.size})`;
  byId("answer-list").querySelector("ol").replaceChildren(...items);
}

// --- answers ---

function approveLabels() {
  const facets = new Set(changed);
  if (paper.movedLabels && !data.blind) facets.add(first.id);
  const problem = findProblem(labels, facets) || (data.blind || labels.primary ? "" : "No label is shown: choose a category.");
  if (problem) return say(problem, true);
  const verdict = data.blind ? {} : { verdict: "ok" };
  const text = facets.size ? describeLabels(facets) : `all labels are right (${describeLabels(new Set([first.id]))})`;
  submitAnswer({ ...verdict, ...cellsFor(labels, facets) }, text, labels, facets);
}

function fileUnder(id) {
  const isUnchanged = !paper.movedLabels && !changed.has(first.id) && !data.blind;
  // A blind page and some conflicts show no label that could be kept.
  const keeps = byId("keep").checked && (paper.cells.primary || changed.has(first.id));
  const newLabels = withNewPrimary(paper, labels, id, keeps);
  const facets = new Set([...changed, first.id]);
  const problem = findProblem(newLabels, facets);
  if (problem) return say(problem, true);
  let cells = cellsFor(newLabels, facets);
  if (isUnchanged && keeps) {
    const { review_topics: _, ...others } = cells;
    cells = { ...others, review_primary: id };
  }
  labels = newLabels;
  submitAnswer(cells, describeLabels(facets), newLabels, facets);
}

function describeLabels(facets) {
  return data.facets.filter((facet) => facets.has(facet.id)).map((facet) => {
    const list = names(facet, labels.lists[facet.id]) || "nothing stated";
    return facet === first ? list : `${facet.name}: ${list}`;
  }).join("; ");
}

// Returns the texts on the screen that are not empty.
const typedTexts = () => Object.fromEntries(TEXTS.map((name) => [name, byId(name).value.trim()]).filter(([, text]) => text));

// Adds the answer on the paper of the screen. decided: its labels, or null for another answer.
function submitAnswer(cells, text, decided, facets = []) {
  const { note, remark } = typedTexts();
  const revealed = data.blind && paper.primary ? `The classifier: ${nameOf(first, paper.primary)} (${Math.round(100 * paper.confidence)} %).` : "";
  const topics = decided && topsOf(first, decided.lists[first.id]);
  const answer = { text, topics, primary: decided?.primary || "", labels: decided, changed: [...facets] };
  addAnswer(paper.id, { ...answer, cells: { note, remark, ...cells } }, revealed);
}

const nextTime = () => Math.max(Date.now(), ...[...skips.values(), ...[...answers.values()].map(({ at }) => at)].map((at) => at + 1));

// Stores the answer on a paper or a cue, learns from it and shows the next paper.
function addAnswer(id, answer, note = "") {
  if (!reviewer) {
    say("Type your name first: it is saved with every answer.", true);
    return byId("reviewer").focus();
  }
  const isStored = storeAnswer(id, { ...answer, at: nextTime(), saved: false });
  storeDraft(id, drafts.get(id) || {}); // the answer may have its texts
  let message = `${data.blind ? "You" : answerTitle(id)}: ${answerText(id)}. ${note}`;
  if (canStore && !isStored) message += " The storage of this browser is full: save your answers now.";
  const changes = learnFromAnswers();
  if (!answer.text) {
    say(`${message} Choose the labels, or skip the paper.`);
    showCounts();
    showAnswerList();
    return byId("title").focus();
  }
  papersSinceCue = isCueQuestion(id) ? 0 : papersSinceCue + 1;
  skips.delete(id);
  say(`${message} ${changes}`.trim());
  showNext();
}

function undoAnswer(id) {
  const { cells } = answers.get(id);
  storeAnswer(id);
  if (papers.has(id)) storeDraft(id, { ...cells, ...drafts.get(id) });
  say(`Undone: the answer on “${answerTitle(id)}”. ${learnFromAnswers()}`.trim());
  showAgain(id);
}

function changeAnswer(id) {
  say("Change the answer, or skip to leave it.");
  showAgain(id);
}

function showAgain(id) {
  paper = papers.get(id);
  showPaper(isCueQuestion(id) ? id : "");
}

// Learns from all answers, and returns a text about the changes.
function learnFromAnswers() {
  if (!data.fit || data.blind) return "";
  const before = new Map(data.papers.map((each) => [each.id, currentLabels(each).primary]));
  refit();
  const moves = new Map();
  for (const each of data.papers) {
    const primary = currentLabels(each).primary;
    if (isUnanswered(each) && !each.decided && primary !== before.get(each.id)) moves.set(primary, [...(moves.get(primary) || []), each.title]);
  }
  const parts = [...moves].map(([id, titles]) =>
    `${titles.length === 1 ? `“${titles[0]}”` : plural(titles.length, "paper")} moved to ${nameOf(first, id)}`);
  const n = countWaiting();
  parts.push(`${n.toLocaleString("en")} still ${n === 1 ? "waits" : "wait"}`);
  return `${parts.join(", ")}.`;
}

byId("cue-yes").addEventListener("click", () => answerCue("yes", "a cue"));
byId("cue-no").addEventListener("click", () => answerCue("no", "not a cue"));
byId("cue-unsure").addEventListener("click", () => answerCue("unsure", "not sure whether it is a cue"));
byId("comment").addEventListener("click", () => {
  const { note, remark } = typedTexts(), answer = answers.get(paper.id);
  if (!note && !remark) return say("Write a note or a remark first.", true);
  addAnswer(paper.id, { ...answer, cells: { ...answer?.cells, note, remark } });
});
for (const name of TEXTS) byId(name).addEventListener("input", () => storeDraft(paper.id, typedTexts()));
byId("exclude-paper").addEventListener("click", () => {
  const exclude = byId("exclude").value.trim();
  if (exclude) return submitAnswer({ exclude }, "excluded", null);
  say("Write why the paper does not belong in the survey.", true);
  byId("exclude").focus();
});
byId("withdraw").addEventListener("click", () => submitAnswer({ verdict: "withdraw", reviewer }, "your earlier decision is withdrawn", null));
byId("skip").addEventListener("click", () => {
  if (!paper) return;
  if (isUnanswered(paper)) {
    skips.delete(paper.id);
    skips.set(paper.id, nextTime());
    say(`Skipped: “${paper.title}” comes again at the end.${drafts.has(paper.id) ? " Your text is kept." : ""}`);
  }
  showNext();
});
byId("undo").addEventListener("click", () => {
  const answer = answersByTime().at(-1), skip = [...skips].at(-1);
  if (!skip || answer?.[1].at > skip[1]) return answer && undoAnswer(answer[0]);
  skips.delete(skip[0]);
  say(`Undone: the skip of “${answerTitle(skip[0])}”.`);
  showAgain(skip[0]);
});

// --- saving ---

byId("save").addEventListener("click", () => {
  const link = element("a", "", { download: fileName() });
  link.href = URL.createObjectURL(new Blob([csvText()], { type: "text/csv" }));
  link.click();
  URL.revokeObjectURL(link.href);
  markSaved();
  showCounts();
  const kept = drafts.size ? ` Not in the file: texts typed on ${plural(drafts.size, "paper")} without an answer.` : "";
  say(`${fileName()}: ${plural(answers.size, "answer")}.${kept} Send the file to the editors, or run: fieldguide review apply ${fileName()}`);
});
byId("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(csvText());
    say(`Copied ${plural(answers.size, "answer")}. Paste them into an issue or a mail. To apply them, save them as ${fileName()}.`);
  } catch {
    say("The browser does not allow this page to copy. Use “Save answers”.", true);
  }
});
byId("send").addEventListener("click", async () => {
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
  if (unsaved().length || (!canStore && drafts.size)) event.preventDefault();
});
addEventListener("storage", (event) => {
  if (!event.key?.startsWith(prefix())) return;
  const id = event.key.slice(prefix().length), typed = typedTexts();
  readEntry(id, event.newValue);
  copyToWindow();
  if (!papers.has(id) && !isCueQuestion(id)) return;
  learnFromAnswers();
  if (paper?.id === id) {
    storeDraft(id, typed);
    for (const name of TEXTS) byId(name).value ||= answers.get(id)?.cells[name] || "";
  }
  if (id !== (cueId || paper?.id) || !answers.get(id)?.text) return showCounts();
  say(`The paper was answered in another tab.${drafts.has(paper?.id) ? " Your text is kept: see Answers." : ""}`);
  showNext();
});

// --- keys ---

const FIELDS = { n: "note", r: "remark", e: "exclude" };
const DEAD_KEYS = {
  o: "Choose labels first, or a category.",
  x: first.outOfScope ? "The paper is out of scope already." : "This survey has no out-of-scope category.",
  d: "There is no earlier category to keep.",
  u: "There is nothing to undo.",
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const isTyping = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape" || (isTyping && event.key === "Enter" && event.target.id !== "exclude")) {
    if (isTyping && drafts.has(paper?.id)) say("Your text is saved with your answer.");
    return byId(cueId ? "cue-title" : "title").focus();
  }
  if (isTyping) return;
  const key = event.key.toLowerCase();
  if (FIELDS[key] && paper) {
    event.preventDefault();
    byId("more").open = true;
    return byId(FIELDS[key]).focus();
  }
  const isUsable = (each) => each.dataset.key === key && each.getClientRects().length && !each.disabled;
  const button = [...document.querySelectorAll("[data-key]")].find(isUsable);
  if (button) {
    event.preventDefault();
    button.click();
  } else if (paper && (DEAD_KEYS[key] || /^\d$/.test(key))) say(DEAD_KEYS[key] || "No category has this key.", true);
});
byId("exclude").addEventListener("keydown", (event) => {
  if (event.key === "Enter") byId("exclude-paper").click();
});
byId("reviewer").addEventListener("change", () => {
  const name = byId("reviewer").value.trim();
  if (/[;\n]/.test(name)) return say("A name cannot contain a semicolon.", true);
  if (answers.size && !canStore) return say("Save your answers before you change the name.", true);
  const earlier = reviewer, n = answers.size, typed = reviewer ? [] : [...drafts]; // texts typed before the name
  for (const [id] of typed) storeDraft(id, {});
  reviewer = name;
  loadAnswers();
  for (const [id, texts] of typed) storeDraft(id, texts);
  learnFromAnswers();
  const kept = n ? `${plural(n, "answer")} of ${earlier} ${n === 1 ? "is" : "are"} kept; type that name to see them. ` : "";
  say(kept + (answers.size ? `${plural(answers.size, "earlier answer")} of ${reviewer}.` : ""));
  showNext();
});

// --- start ---

function warn(text) {
  byId("warnings").append(element("p", text));
}

byId("reviewer").value = reviewer;
byId("send").hidden = !data.token;
byId("help-x").hidden = !first.outOfScope;
byId("help-d").hidden = data.blind || first.single;
byId("help-cue").hidden = !data.cues.length;
if (!canStore) warn("This browser does not store answers for this page. Save them before you close or reload it.");
if (data.locked) warn("The labels of this survey are locked: published labels do not change, except by decisions.");
if (data.nOmitted) warn(`This page has the first ${plural(data.papers.length, "paper")} of the queue; ${data.nOmitted.toLocaleString("en")} more are on a later page.`);
if (canStore) restoreFromWindow();
loadAnswers();
if (answers.size) say(`${plural(answers.size, "earlier answer")}. ${learnFromAnswers()}`.trim());
showNext();
if (!reviewer) {
  say("Type your name first: it is saved with every answer.");
  byId("reviewer").focus();
}
