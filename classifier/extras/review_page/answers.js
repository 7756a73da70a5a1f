"use strict";

// The data of the page, the labels of a paper, the answers and the file that they become.

const data = JSON.parse(document.getElementById("data").textContent);
const [first, ...furtherFacets] = data.facets;
const papers = new Map(data.papers.map((paper) => [paper.id, paper]));
const JOINER = "; ";
const listIn = (cell) => (cell || "").split(";").map((part) => part.trim()).filter(Boolean);
const topOf = (facet, id) => facet.categories.find((each) => each.id === id)?.top ?? id;
const nameOf = (facet, id) => facet.categories.find((each) => each.id === id)?.name ?? id;
const topsOf = (facet, ids) => [...new Set(ids.map((id) => topOf(facet, id)))];
const sameList = (one, other) => one.length === other.length && one.every((id) => other.includes(id));
const isAsked = (facet, topics) =>
  !facet.appliesTo.length || topics.some((id) => facet.appliesTo.includes(id));

// The labels that the sheet shows for a paper: {primary, lists: facet id -> category ids}.
function builtLabels(paper) {
  const lists = { [first.id]: listIn(paper.cells.topics) };
  for (const facet of furtherFacets) lists[facet.id] = listIn(paper.cells[facet.id]);
  return { primary: paper.cells.primary || "", lists };
}

// The labels that a paper has now: those of the sheet, unless the page learned other ones.
function currentLabels(paper) {
  const built = builtLabels(paper);
  if (!paper.moved || data.blind) return built;
  return { primary: paper.moved.primary, lists: { ...built.lists, [first.id]: paper.moved.topics } };
}

// The labels of a paper that is filed under another category: the rule of review_primary.
function filedElsewhere(paper, labels, category, keepsEarlier) {
  const top = topOf(first, category), before = labels.lists[first.id], earlier = labels.primary;
  const isAlone = first.single || [category, ...before].includes(first.outside);
  let kept = isAlone ? [] : before;
  if (!keepsEarlier) kept = kept.filter((id) => topOf(first, id) !== topOf(first, earlier));
  const others = topsOf(first, kept).filter((each) => each !== top);
  if (first.atMost && others.length >= first.atMost && !(paper.decided && first.atMost > 1)) {
    others.sort((one, other) => (other === earlier) - (one === earlier));
    const staying = [top, ...others.slice(0, first.atMost - 1)];
    kept = kept.filter((id) => staying.includes(topOf(first, id)));
  }
  const topics = [...new Set([top, category, ...kept])];
  return { primary: top, lists: { ...labels.lists, [first.id]: primaryFirst(topics, top) } };
}

function primaryFirst(topics, primary) {
  const isOwn = (id) => topOf(first, id) === primary;
  return [...topics.filter(isOwn), ...topics.filter((id) => !isOwn(id))];
}

// The reason why labels cannot be an answer; "" where they can.
function problemWith(labels, changed) {
  for (const facet of data.facets) {
    if (!changed.has(facet.id)) continue;
    const tops = topsOf(facet, labels.lists[facet.id]);
    if (!tops.length && !facet.unstated) return `${facet.name}: choose at least one category.`;
    if (facet.single && tops.length > 1) return `${facet.name}: choose one category.`;
    if (facet.atMost && tops.length > facet.atMost) {
      return `${facet.name}: at most ${facet.atMost}. Choose which to drop.`;
    }
    if (facet.outside && tops.includes(facet.outside) && tops.length > 1) {
      return `${facet.name}: ${nameOf(facet, facet.outside)} stands alone. Drop it or the others.`;
    }
  }
  return "";
}

// The cells of the sheet for labels; `changed` are the facets that the reviewer set.
function cellsFor(labels, changed) {
  const cells = {};
  if (changed.has(first.id)) {
    cells.review_topics = primaryFirst(labels.lists[first.id], labels.primary).join(JOINER);
  }
  for (const facet of furtherFacets) {
    if (!changed.has(facet.id) || !isAsked(facet, labels.lists[first.id])) continue;
    cells[`review_${facet.id}`] = labels.lists[facet.id].join(JOINER) || "none";
  }
  return cells;
}

// --- storage: one entry per paper, so that two tabs lose nothing to one another ---

let reviewer = data.reviewer;
let answers = new Map(); // id of a paper or cue -> {cells, text, at, primary, topics, saved}
const prefix = () => `fieldguide-review/${data.title}/${data.digest}/${reviewer}/`;

function storageWorks() {
  try {
    localStorage.setItem("fieldguide-test", "1");
    localStorage.removeItem("fieldguide-test");
    return true;
  } catch {
    return false;
  }
}
const keepsAnswers = storageWorks();

function loadAnswers() {
  if (!keepsAnswers) return;
  answers = new Map();
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    const id = key.startsWith(prefix()) ? key.slice(prefix().length) : "";
    if (papers.has(id) || hasQuestion(id)) answers.set(id, JSON.parse(localStorage.getItem(key)));
  }
}

// Returns whether the browser kept the answer; it stays in the page in any case.
function putAnswer(paperId, answer) {
  answers.set(paperId, answer);
  if (!keepsAnswers) return false;
  try {
    localStorage.setItem(prefix() + paperId, JSON.stringify(answer));
    return true;
  } catch {
    return false;
  }
}

function removeAnswer(paperId) {
  answers.delete(paperId);
  if (keepsAnswers) localStorage.removeItem(prefix() + paperId);
}

const inOrder = () => [...answers].sort((one, other) => one[1].at - other[1].at);
const unsaved = () => inOrder().filter(([, answer]) => !answer.saved);

// --- the file ---

// As files/table.py: no spreadsheet runs a cell that looks like a formula.
function escapeFormula(cell) {
  return /^[=+\-@\t\r]/.test(cell.replace(/^'+/, "")) ? `'${cell}` : cell;
}

function csvCell(cell) {
  const escaped = escapeFormula(cell);
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

function csvText() {
  const rows = inOrder().map(([id, answer]) => {
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
  for (const [paperId, answer] of unsaved()) putAnswer(paperId, { ...answer, saved: true });
}
