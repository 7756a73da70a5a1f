"use strict";

// The order of the papers: the rules of review/queue.py, with what was answered on the page.

const SECOND_LOOK_EVERY = 4;

// The sum over categories of 4 p (1 - p) / sqrt(1 + decided papers of the category).
function doubt(chances, counts) {
  return chances.reduce((sum, p, at) => sum + (4 * p * (1 - p)) / Math.sqrt(1 + counts[at]), 0);
}

// Papers in order, but none of the category of the one before, where possible.
function alternated(ranked, last) {
  const left = [...ranked], found = [];
  while (left.length) {
    const at = Math.max(0, left.findIndex((paper) => currentLabels(paper).primary !== last));
    const [paper] = left.splice(at, 1);
    last = currentLabels(paper).primary;
    found.push(paper);
  }
  return found;
}

const isOpen = (paper) => !answers.has(paper.id);
const paperAnswers = () => [...answers.keys()].filter((id) => papers.has(id)).length;
const waits = (paper) => isOpen(paper) && !paper.decided && paper.waits;

// The open papers: in the order of the build until something is learned, then anew.
// skipped: ids in the order in which they were skipped; they come last. last: a category.
function orderPapers(skipped, last) {
  const open = data.papers.filter((paper) => isOpen(paper) && !skipped.includes(paper.id));
  const later = skipped.map((id) => papers.get(id)).filter((paper) => paper && isOpen(paper));
  const isLearned = data.fit && answers.size;
  return [...(isLearned ? orderAnew(open, last) : open), ...later];
}

function orderAnew(open, last) {
  const waiting = open.filter(waits).sort((one, other) => other.worth - one.worth || (one.id < other.id ? -1 : 1));
  const mixed = alternated(waiting, last);
  const n = paperAnswers();
  const looks = open.filter((paper) => paper.isSecondLook);
  const audit = open.filter((paper) => !paper.isSecondLook && !waits(paper));
  audit.sort((one, other) => one.auditPlace - other.auditPlace);
  const found = [];
  while (mixed.length || looks.length) {
    const isLook = (n + found.length) % SECOND_LOOK_EVERY === 0;
    found.push(looks.length && (isLook || !mixed.length) ? looks.shift() : mixed.shift());
  }
  return [...found, ...audit];
}
