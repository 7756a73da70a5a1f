"use strict";

// The data of the page, the labels of a paper, the answers, and the CSV file with them.

const data = JSON.parse(document.getElementById("data").textContent);
const [first, ...furtherFacets] = data.facets;
const papers = new Map(data.papers.map((paper) => [paper.id, paper]));
const JOINER = "; ";
const splitList = (cell) => (cell || "").split(";").map((part) => part.trim()).filter(Boolean);
const categoryOf = (facet, id) => facet.categories.find((each) => each.id === id);
const topOf = (facet, id) => categoryOf(facet, id)?.top ?? id;
const nameOf = (facet, id) => categoryOf(facet, id)?.name ?? id;
const topsOf = (facet, ids) => [...new Set(ids.map((id) => topOf(facet, id)))];
const facetApplies = (facet, topics) =>
  !facet.appliesTo.length || topics.some((id) => facet.appliesTo.includes(id));

// Returns the labels of a paper in the sheet: {primary, lists: facet id -> category ids}.
function sheetLabels(paper) {
  const lists = { [first.id]: splitList(paper.cells.topics) };
  for (const facet of furtherFacets) lists[facet.id] = splitList(paper.cells[facet.id]);
  return { primary: paper.cells.primary || "", lists };
}

// Returns the current labels of a paper: those of the sheet, unless the page learned other ones.
function currentLabels(paper) {
  const inSheet = sheetLabels(paper);
  if (!paper.movedLabels || data.blind) return inSheet;
  const { primary, topics } = paper.movedLabels;
  return { primary, lists: { ...inSheet.lists, [first.id]: topics } };
}

// Returns the labels of a paper with another primary category, by the rule of review_primary.
function withNewPrimary(paper, labels, category, keepsEarlier) {
  const top = topOf(first, category), before = labels.lists[first.id], earlier = labels.primary;
  const replacesAll = first.single || [category, ...before].includes(first.outOfScope);
  let kept = replacesAll ? [] : before;
  if (!keepsEarlier) kept = kept.filter((id) => topOf(first, id) !== topOf(first, earlier));
  const others = topsOf(first, kept).filter((each) => each !== top);
  if (first.atMost && others.length >= first.atMost && !(paper.decided && first.atMost > 1)) {
    others.sort((one, other) => (other === earlier) - (one === earlier));
    const keptTops = [top, ...others.slice(0, first.atMost - 1)];
    kept = kept.filter((id) => keptTops.includes(topOf(first, id)));
  }
  const topics = [...new Set([top, category, ...kept])];
  return { primary: top, lists: { ...labels.lists, [first.id]: primaryFirst(topics, top) } };
}

function primaryFirst(topics, primary) {
  const isOwn = (id) => topOf(first, id) === primary;
  return [...topics.filter(isOwn), ...topics.filter((id) => !isOwn(id))];
}

const tooMany = (facet) => `${facet.name}: at most ${facet.atMost} categories. Remove one first.`;

// Returns a message if labels are not a valid answer, or else "".
function findProblem(labels, changed) {
  for (const facet of data.facets) {
    if (!changed.has(facet.id)) continue;
    const tops = topsOf(facet, labels.lists[facet.id]);
    if (!tops.length && !facet.mayBeUnstated) return `${facet.name}: choose at least one category.`;
    if (facet.single && tops.length > 1) return `${facet.name}: choose one category.`;
    if (facet.atMost && tops.length > facet.atMost) {
      return tooMany(facet);
    }
    if (facet.outOfScope && tops.includes(facet.outOfScope) && tops.length > 1) {
      return `${facet.name}: ${nameOf(facet, facet.outOfScope)} excludes all other categories. Remove it or the others.`;
    }
  }
  return "";
}

// Returns the cells of the sheet for labels; `changed`: the facets that the reviewer changed.
function cellsFor(labels, changed) {
  const cells = {};
  if (changed.has(first.id)) {
    cells.review_topics = primaryFirst(labels.lists[first.id], labels.primary).join(JOINER);
  }
  for (const facet of furtherFacets) {
    if (!changed.has(facet.id) || !facetApplies(facet, labels.lists[first.id])) continue;
    cells[`review_${facet.id}`] = labels.lists[facet.id].join(JOINER) || "none";
  }
  return cells;
}

// --- storage: one entry per paper, so that two tabs do not overwrite each other's answers ---
// A busy browser sometimes loses what was stored just before a reload. The name of the window
// survives a reload too, so it holds a copy.

let reviewer = data.reviewer;
let answers = new Map(); // id of a paper or cue -> {cells, text, at, primary, topics, …}; no text: undecided
let drafts = new Map(); // id of a paper -> typed texts that its answer does not have
const TEXTS = ["note", "remark", "exclude"];
const prefix = () => `fieldguide-review/${data.title}/${data.digest}/${reviewer}/`;

function loadAnswers() {
  if (!canStore) return;
  [answers, drafts] = [new Map(), new Map()];
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    if (key.startsWith(prefix())) readEntry(key.slice(prefix().length), localStorage.getItem(key));
  }
  copyToWindow();
}

// Takes over an entry of the storage: the JSON of an answer or draft, or null if it was removed.
function readEntry(key, json) {
  const [entries, id] = key.startsWith("draft/") ? [drafts, key.slice(6)] : [answers, key];
  if (!papers.has(id) && !isCueQuestion(id)) return;
  if (json) entries.set(id, JSON.parse(json));
  else entries.delete(id);
}

function copyToWindow() {
  const texts = [...drafts].map(([id, draft]) => [`draft/${id}`, draft]);
  window.name = JSON.stringify({ prefix: prefix(), entries: [...answers, ...texts] });
}

// Stores the entries of the window's copy that the storage does not have.
function restoreFromWindow() {
  let copy = {};
  try {
    copy = JSON.parse(window.name);
  } catch { /* the window has no copy */ }
  if (copy?.prefix !== prefix()) return;
  for (const [key, value] of copy.entries) {
    if (localStorage.getItem(prefix() + key) === null) store(key, value);
  }
}

// Stores a value, or removes it if there is none. Returns whether the browser stored it.
function store(key, value) {
  try {
    if (value) localStorage.setItem(prefix() + key, JSON.stringify(value));
    else localStorage.removeItem(prefix() + key);
    return true;
  } catch {
    return false;
  }
}

const canStore = store("test", true) && store("test");

function storeAnswer(id, answer) {
  if (answer) answers.set(id, answer);
  else answers.delete(id);
  copyToWindow();
  return store(id, answer);
}

// Keeps those of the texts that the answer on the paper does not have.
function storeDraft(id, texts) {
  const saved = answers.get(id)?.cells || {};
  const names = TEXTS.filter((name) => texts[name] && texts[name] !== saved[name]);
  const draft = names.length && Object.fromEntries(names.map((name) => [name, texts[name]]));
  if (draft) drafts.set(id, draft);
  else drafts.delete(id);
  copyToWindow();
  store(`draft/${id}`, draft);
}

const listTexts = (texts, verb) => TEXTS.filter((name) => texts[name]).map((name) =>
  `${name === "exclude" ? "reason" : name}${verb}: “${texts[name]}”`);

// Returns the labels and texts of an answer, and the typed texts that are not saved, in words.
function answerText(id) {
  const { text, cells } = answers.get(id) || { cells: {} };
  const unsavedTexts = listTexts(drafts.get(id) || {}, " not saved yet");
  return [text || "labels undecided", ...listTexts(cells, " saved"), ...unsavedTexts].join("; ");
}

const answersByTime = () => [...answers].sort((one, other) => one[1].at - other[1].at);
const unsaved = () => answersByTime().filter(([, answer]) => !answer.saved);

// --- the file ---

// Prevents a spreadsheet from running a cell that looks like a formula (as files/table.py).
function escapeFormula(cell) {
  return /^[=+\-@\t\r]/.test(cell.replace(/^'+/, "")) ? `'${cell}` : cell;
}

function csvCell(cell) {
  const escaped = escapeFormula(cell);
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

function csvText() {
  const rows = answersByTime().map(([id, answer]) => {
    const cells = { reviewer, ...(papers.get(id)?.cells || cueCells(id)), ...answer.cells };
    return data.columns.map((name) => csvCell(cells[name] || ""));
  });
  return [data.columns, ...rows].map((row) => row.join(",")).join("\n") + "\n";
}

function fileName() {
  const slug = reviewer.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `reviews-${slug.replace(/^-+|-+$/g, "") || "me"}.csv`;
}

function markSaved() {
  for (const [paperId, answer] of unsaved()) storeAnswer(paperId, { ...answer, saved: true });
}
