"use strict";

// Repeats the last step of the classifier after each answer (labelling/last_step.py): one logistic
// regression per question and category on the decided papers, with a fixed offset.

const UNKNOWN = 255;
const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const round4 = (p) => Math.round(p * 1e4) / 1e4;

function bytesOf(text) {
  const binary = atob(text);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer;
}

// Returns the record of the page with its arrays decoded.
function unpack(fit) {
  const scaled = new Uint16Array(bytesOf(fit.values));
  const values = Float64Array.from(scaled, (value) => (value * fit.scale) / 65535);
  const questions = Object.entries(fit.questions).map(([name, question]) => ({
    name,
    offset: new Float32Array(bytesOf(question.offset)),
    taught: new Float32Array(bytesOf(question.taught)),
    truth: new Uint8Array(bytesOf(question.truth)),
    slope: question.slope,
    shifts: question.shifts,
    weights: first.tops.map(() => new Float64Array(fit.terms + 1)), // the last weight is the intercept
  }));
  const starts = new Uint32Array(bytesOf(fit.starts));
  const Columns = fit.terms < 65536 ? Uint16Array : Uint32Array;
  const columns = new Columns(bytesOf(fit.columns));
  const hasVote = new Uint8Array(bytesOf(fit.hasVote));
  const isClear = new Uint8Array(bytesOf(fit.isClear));
  return { ...fit, values, questions, starts, columns, hasVote, isClear };
}

// Returns the product of a paper's row and weights.
function dot(row, weights) {
  let sum = step.interceptScale * weights[step.terms];
  for (let at = step.starts[row]; at < step.starts[row + 1]; at += 1) {
    sum += step.values[at] * weights[step.columns[at]];
  }
  return sum;
}

// Adds a paper's row times `factor` to `sums`.
function addRow(row, factor, sums) {
  for (let at = step.starts[row]; at < step.starts[row + 1]; at += 1) {
    sums[step.columns[at]] += factor * step.values[at];
  }
  sums[step.terms] += factor * step.interceptScale;
}

// Minimises the sum of log(1 + exp(-s z)) plus |w|^2 / (2 C) by Newton's method, with conjugate
// gradients for its equations. Starts at `weights` and changes them.
function fitCategory(rows, truth, offset, weights, c) {
  const lossAt = (w) => {
    let sum = 0;
    rows.forEach((row, at) => {
      const z = offset[at] + dot(row, w);
      sum += Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - truth[at] * z;
    });
    return sum + w.reduce((total, each) => total + each * each, 0) / (2 * c);
  };
  let loss = lossAt(weights);
  for (let round = 0; round < 30; round += 1) {
    const gradient = weights.map((each) => each / c);
    const curvature = rows.map((row, at) => {
      const p = sigmoid(offset[at] + dot(row, weights));
      addRow(row, p - truth[at], gradient);
      return p * (1 - p);
    });
    if (gradient.every((each) => Math.abs(each) < 1e-5)) return;
    const direction = newtonStep(rows, curvature, gradient, c);
    let size = 1, next, nextLoss;
    do {
      next = weights.map((each, at) => each - size * direction[at]);
      nextLoss = lossAt(next);
      size /= 2;
    } while (nextLoss > loss && size > 1e-6);
    if (!(nextLoss < loss)) return;
    weights.set(next);
    loss = nextLoss;
  }
}

// Returns the solution of Hessian * x = gradient.
function newtonStep(rows, curvature, gradient, c) {
  const solution = new Float64Array(gradient.length);
  const residual = Float64Array.from(gradient), direction = Float64Array.from(gradient);
  const product = (one, other) => one.reduce((sum, each, at) => sum + each * other[at], 0);
  let norm = product(residual, residual);
  const tolerance = norm * 1e-8;
  for (let round = 0; round < 50 && norm > tolerance; round += 1) {
    const image = direction.map((each) => each / c);
    rows.forEach((row, at) => addRow(row, curvature[at] * dot(row, direction), image));
    const size = norm / product(direction, image);
    for (let at = 0; at < solution.length; at += 1) {
      solution[at] += size * direction[at];
      residual[at] -= size * image[at];
    }
    const before = norm;
    norm = product(residual, residual);
    for (let at = 0; at < direction.length; at += 1) direction[at] = residual[at] + (norm / before) * direction[at];
  }
  return solution;
}

// Returns the truth of a question for a paper: the answer on the page, or else that of the build.
function truthOf(question, row, column) {
  const known = question.truth[row * first.tops.length + column];
  const answer = row < data.papers.length ? answers.get(data.papers[row].id) : undefined;
  if (!answer?.topics) return known;
  const id = first.tops[column];
  return question.name === "filed" ? Number(answer.primary === id) : Number(answer.topics.includes(id));
}

// Fits a question on all answers, and returns paper -> category -> logit.
function computeLogits(question) {
  const k = first.tops.length;
  first.tops.forEach((_, column) => {
    const rows = [], truth = [], offset = [];
    for (let row = 0; row < step.papers; row += 1) {
      const known = truthOf(question, row, column);
      if (known === UNKNOWN) continue;
      rows.push(row);
      truth.push(known);
      offset.push(question.taught[row * k + column]);
    }
    if (rows.length) fitCategory(rows, truth, offset, question.weights[column], step.inversePenalties[column]);
  });
  return data.papers.map((_, row) => first.tops.map((_, column) =>
    question.offset[row * k + column] + dot(row, question.weights[column])));
}

// Returns the labels of a paper from its probabilities, as `FacetModel.filed` and `decide.chosen`.
function computeLabels(paper, row, applies, filed) {
  const k = first.tops.length, outside = first.tops.indexOf(first.outOfScope);
  let top = filed.indexOf(Math.max(...filed));
  const p = Math.min(Math.max(filed[top], 1e-4), 1 - 1e-4);
  const [slope, shift] = step.confidence;
  let confidence = round4(Math.min(sigmoid(slope * Math.log(p / (1 - p)) + shift), step.maxConfidence));
  const hasVote = step.hasVote[row * k + top];
  const isSure = confidence >= step.cut;
  if (top === outside && !isSure && !hasVote && k > 1) {
    const inScope = filed.map((each, column) => (column === outside ? -1 : each));
    top = inScope.indexOf(Math.max(...inScope));
    confidence = Math.min(confidence, inScope[top]);
  }
  const byProbability = applies.map((_, column) => column).sort((one, other) => applies[other] - applies[one]);
  const others = byProbability.filter((column) => applies[column] >= step.thresholds[column] && column !== top && column !== outside);
  const maxTopics = first.single || top === outside ? 1 : first.atMost || k;
  const tops = [top, ...others].slice(0, maxTopics).map((column) => first.tops[column]);
  const topics = tops.flatMap((id) => (paper.children[id] ? [id, paper.children[id]] : [id]));
  const isRead = paper.abstract.length || step.isClear[row * k + top];
  return { primary: tops[0], topics, confidence, waits: !(isSure && isRead) };
}

// Learns from all answers: sets `newProbabilities`, `newLabels`, `movedLabels`, `waits` and `benefit`
// of every paper. `movedLabels`: the new labels if the primary of an undecided paper changed.
function refit() {
  const k = first.tops.length, counts = [...step.counts];
  for (const answer of answers.values()) {
    for (const id of answer.topics || []) counts[first.tops.indexOf(id)] += 1;
  }
  const probabilities = Object.fromEntries(step.questions.map((question) => [question.name,
    computeLogits(question).map((logits) => logits.map((z, column) => sigmoid(question.slope * z + question.shifts[column])))]));
  data.papers.forEach((paper, row) => {
    const applies = probabilities.applies?.[row];
    const both = probabilities.filed[row].map((p, column) => p * (applies ? applies[column] : 1));
    const sum = Math.max(both.reduce((one, other) => one + other, 0), 1e-12);
    const filed = both.map((p) => round4(p / sum));
    paper.newProbabilities = applies ? applies.map(round4) : filed;
    paper.newLabels = computeLabels(paper, row, paper.newProbabilities, filed);
    const isFree = !paper.decided && !paper.locked;
    paper.movedLabels = isFree && paper.newLabels.primary !== paper.cells.primary ? paper.newLabels : null;
    paper.waits = paper.newLabels.waits;
    const benefit = (uncertainty(paper.newProbabilities, counts) + paper.furtherUncertainty) * paper.similarity;
    paper.benefit = Math.round(benefit * 1e9) / 1e9;
  });
}

const step = data.fit && unpack(data.fit);
