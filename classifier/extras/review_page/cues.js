"use strict";

// Questions whether a phrase is a cue of a category. A "yes" settles several papers at once, so
// such a question comes between papers as long as enough of the waiting ones have the phrase.

const CUE_EVERY = 3; // answers on papers between two questions on cues
const MIN_WAITING = 3; // waiting papers with the phrase
const questions = new Map(data.cues.map((cue) => [`cue:${cue.category}:${cue.phrase}`, cue]));
let cueId = ""; // of the question on the screen
let papersSinceCue = 0;

const hasQuestion = (id) => questions.has(id);
const waitingWith = (cue) => cue.papers.filter((id) => papers.has(id) && waits(papers.get(id))).length;
const cueTitle = (cue) => `“${cue.phrase.replaceAll("~", "")}”`;
const answerTitle = (id) => (hasQuestion(id) ? cueTitle(questions.get(id)) : papers.get(id).title);

// The row of the sheet for the answer on a cue.
function cueCells(id) {
  const cue = questions.get(id);
  return { id: "cue", title: cue.phrase, review_primary: cue.category };
}

// The question to ask now, or "".
function dueCue() {
  if (papersSinceCue < CUE_EVERY) return "";
  const open = [...questions].find(([id, cue]) => !answers.has(id) && waitingWith(cue) >= MIN_WAITING);
  return open ? open[0] : "";
}

function showCue(id) {
  cueId = id;
  const cue = questions.get(id), name = nameOf(first, cue.category);
  const category = first.categories.find((each) => each.id === cue.category);
  const n = waitingWith(cue), all = waitingNow();
  part("cue-title").textContent = `${n} of the ${plural(all, "waiting paper")} ${n === 1 ? "has" : "have"} ${cueTitle(cue)}. Is it a cue of ${name}?`;
  part("cue-about").textContent =
    `Papers with the phrase: ${cue.n.toLocaleString("en")}; probably in ${name}: ${cue.likely.toLocaleString("en")}. Answer yes if most papers with it are about ${name}.`;
  part("cue-definition").textContent = category.definition;
  part("cue-papers").replaceChildren(...cue.titles.map((title) => element("li", title)));
  part("cue-title").focus({ preventScroll: true });
  scrollTo(0, 0);
}

function answerCue(verdict, text) {
  const cue = questions.get(cueId), name = nameOf(first, cue.category);
  giveAnswer(cueId, { verdict }, `${text} of ${name}`, null,
    verdict === "yes" ? "It counts from the next build on." : "");
}
