"use strict";

// Questions about cues: whether a phrase is a cue of a category. One answer helps to label several
// papers, so the page asks about a phrase while enough of the waiting papers have it.

const CUE_EVERY = 3; // number of answers on papers between two questions about cues
const MIN_WAITING = 3; // minimum number of waiting papers with the phrase
const questions = new Map(data.cues.map((cue) => [`cue:${cue.category}:${cue.phrase}`, cue]));
let cueId = ""; // id of the question on the screen, or ""
let papersSinceCue = 0;

const isCueQuestion = (id) => questions.has(id);
const countWaitingWith = (cue) => cue.papers.filter((id) => papers.has(id) && waits(papers.get(id))).length;
const cueTitle = (cue) => `“${cue.phrase.replaceAll("~", "")}”`;
const answerTitle = (id) => (isCueQuestion(id) ? cueTitle(questions.get(id)) : papers.get(id).title);

// Returns the cells of the row for an answer about a cue.
function cueCells(id) {
  const cue = questions.get(id);
  return { id: "cue", title: cue.phrase, review_primary: cue.category };
}

// Returns the id of the next question about a cue, or "".
function nextCueQuestion() {
  if (papersSinceCue < CUE_EVERY) return "";
  const next = [...questions].find(([id, cue]) => !answers.has(id) && countWaitingWith(cue) >= MIN_WAITING);
  return next ? next[0] : "";
}

function showCue(id) {
  cueId = id;
  const cue = questions.get(id), name = nameOf(first, cue.category);
  const n = countWaitingWith(cue);
  byId("cue-title").textContent = `${n} of the ${plural(countWaiting(), "waiting paper")} ${n === 1 ? "has" : "have"} ${cueTitle(cue)}. Is it a cue of ${name}?`;
  byId("cue-about").textContent =
    `Papers with the phrase: ${cue.n.toLocaleString("en")}; probably about ${name}: ${cue.likely.toLocaleString("en")}. Answer yes if most papers with the phrase are about ${name}.`;
  byId("cue-definition").textContent = categoryOf(first, cue.category).definition;
  byId("cue-papers").replaceChildren(...cue.titles.map((title) => element("li", title)));
  byId("cue-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function answerCue(verdict, text) {
  const cue = questions.get(cueId), name = nameOf(first, cue.category);
  addAnswer(cueId, { cells: { verdict }, text: `${text} of ${name}` },
    verdict === "yes" ? "The next build uses it." : "");
}
