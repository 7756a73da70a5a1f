"use strict";

// The order of the papers: the rules of review/queue.py, with the answers on the page.

const SECOND_LOOK_EVERY = 4;

// Returns the sum over categories of 4 p (1 - p) / sqrt(1 + decided papers of the category).
function uncertainty(probabilities, counts) {
  return probabilities.reduce((sum, p, k) => sum + (4 * p * (1 - p)) / Math.sqrt(1 + counts[k]), 0);
}

// Returns papers in order, without equal categories in a row if possible.
function alternateCategories(ranked, last) {
  const left = [...ranked], ordered = [];
  while (left.length) {
    const index = Math.max(0, left.findIndex((paper) => currentLabels(paper).primary !== last));
    const [paper] = left.splice(index, 1);
    last = currentLabels(paper).primary;
    ordered.push(paper);
  }
  return ordered;
}

const isUnanswered = (paper) => !answers.get(paper.id)?.text;
const countPaperAnswers = () => data.papers.filter((paper) => !isUnanswered(paper)).length;
const waits = (paper) => isUnanswered(paper) && !paper.decided && paper.waits;

// Returns the unanswered papers in the order of the build, or in a new order after an answer.
// skipped: ids of papers that come last, in this order. last: the category of the last answer.
function orderPapers(skipped, last) {
  const unanswered = data.papers.filter((paper) => isUnanswered(paper) && !skipped.includes(paper.id));
  const later = skipped.map((id) => papers.get(id)).filter((paper) => paper && isUnanswered(paper));
  const hasLearned = data.fit && answers.size;
  return [...(hasLearned ? reorder(unanswered, last) : unanswered), ...later];
}

function reorder(unanswered, last) {
  const waiting = unanswered.filter(waits).sort((one, other) => other.benefit - one.benefit || (one.id < other.id ? -1 : 1));
  const alternating = alternateCategories(waiting, last);
  const n = countPaperAnswers();
  const secondLooks = unanswered.filter((paper) => paper.isSecondLook);
  const audit = unanswered.filter((paper) => !paper.isSecondLook && !waits(paper));
  audit.sort((one, other) => one.auditRank - other.auditRank);
  const ordered = [];
  while (alternating.length || secondLooks.length) {
    const isDue = (n + ordered.length) % SECOND_LOOK_EVERY === 0 || !alternating.length;
    ordered.push(secondLooks.length && isDue ? secondLooks.shift() : alternating.shift());
  }
  return [...ordered, ...audit];
}
