"use strict";

// The last step of the classifier, repeated after each answer (labelling/last_step.py): one
// logistic regression per question and category on the decided papers, on top of an offset.

const UNKNOWN = 255;
const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const rounded = (p) => Math.round(p * 1e4) / 1e4;

function bytesOf(text) {
  const binary = atob(text);
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0)).buffer;
}

// The record of the page with its arrays unpacked.
function unpacked(fit) {
  const scaled = new Uint16Array(bytesOf(fit.values));
  const values = Float64Array.from(scaled, (value) => (value * fit.scale) / 65535);
  const questions = Object.entries(fit.questions).map(([name, question]) => ({
    name,
    offset: new Float32Array(bytesOf(question.offset)),
    taught: new Float32Array(bytesOf(question.taught)),
    truth: new Uint8Array(bytesOf(question.truth)),
    slope: question.slope,
    shifts: question.shifts,
    weights: first.tops.map(() => new Float64Array(fit.terms + 1)), // the last is the intercept
  }));
  const starts = new Uint32Array(bytesOf(fit.starts));
  const Columns = fit.terms < 65536 ? Uint16Array : Uint32Array;
  const columns = new Columns(bytesOf(fit.columns));
  const hasVote = new Uint8Array(bytesOf(fit.hasVote));
  const isClear = new Uint8Array(bytesOf(fit.isClear));
  return { ...fit, values, questions, starts, columns, hasVote, isClear };
}

// The product of a paper's row and weights.
function dot(row, weights) {
  let sum = step.interceptScale * weights[step.terms];
  for (let at = step.starts[row]; at < step.starts[row + 1]; at += 1) {
    sum += step.values[at] * weights[step.columns[at]];
  }
  return sum;
}

function addRow(row, factor, sums) {
  for (let at = step.starts[row]; at < step.starts[row + 1]; at += 1) {
    sums[step.columns[at]] += factor * step.values[at];
  }
  sums[step.terms] += factor * step.interceptScale;
}

// Minimises the sum of log(1 + exp(-s z)) plus |w|^2 / (2 C) by Newton's method, whose equations
// are solved by conjugate gradients. `weights` is where it starts, and is changed.
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

function newtonStep(rows, curvature, gradient, c) {
  const found = new Float64Array(gradient.length);
  const rest = Float64Array.from(gradient), along = Float64Array.from(gradient);
  const product = (one, other) => one.reduce((sum, each, at) => sum + each * other[at], 0);
  let norm = product(rest, rest);
  const enough = norm * 1e-8;
  for (let round = 0; round < 50 && norm > enough; round += 1) {
    const image = along.map((each) => each / c);
    rows.forEach((row, at) => addRow(row, curvature[at] * dot(row, along), image));
    const size = norm / product(along, image);
    for (let at = 0; at < found.length; at += 1) {
      found[at] += size * along[at];
      rest[at] -= size * image[at];
    }
    const before = norm;
    norm = product(rest, rest);
    for (let at = 0; at < along.length; at += 1) along[at] = rest[at] + (norm / before) * along[at];
  }
  return found;
}

// The truth of a question for a paper: what was answered here, else what the build knew.
function truthOf(question, row, column) {
  const known = question.truth[row * first.tops.length + column];
  const answer = row < data.papers.length ? answers.get(data.papers[row].id) : undefined;
  if (!answer?.topics) return known;
  const id = first.tops[column];
  return question.name === "filed" ? Number(answer.primary === id) : Number(answer.topics.includes(id));
}

function logitsOf(question) {
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

// The labels of a paper from its probabilities: `FacetModel.filed` and `decide.chosen`.
function labelsFrom(paper, row, applies, filed) {
  const k = first.tops.length, outside = first.tops.indexOf(first.outside);
  let top = filed.indexOf(Math.max(...filed));
  const chance = Math.min(Math.max(filed[top], 1e-4), 1 - 1e-4);
  const [slope, shift] = step.confidence;
  let confidence = rounded(Math.min(sigmoid(slope * Math.log(chance / (1 - chance)) + shift), step.maxConfidence));
  const hasVote = step.hasVote[row * k + top];
  const isSure = confidence >= step.cut;
  if (top === outside && !isSure && !hasVote && k > 1) {
    const within = filed.map((each, column) => (column === outside ? -1 : each));
    top = within.indexOf(Math.max(...within));
    confidence = Math.min(confidence, within[top]);
  }
  const byChance = applies.map((_, column) => column).sort((one, other) => applies[other] - applies[one]);
  const over = byChance.filter((column) => applies[column] >= step.thresholds[column] && column !== top && column !== outside);
  const most = first.single || top === outside ? 1 : first.atMost || k;
  const tops = [top, ...over].slice(0, most).map((column) => first.tops[column]);
  const topics = tops.flatMap((id) => (paper.children[id] ? [id, paper.children[id]] : [id]));
  const isRead = paper.abstract.length || step.isClear[row * k + top];
  return { primary: tops[0], topics, confidence, waits: !(isSure && isRead) };
}

// Learns from all answers: sets `now`, `moved`, `waits` and `worth` of every paper.
function refit() {
  const k = first.tops.length, counts = [...step.counts];
  for (const answer of answers.values()) {
    for (const id of answer.topics || []) counts[first.tops.indexOf(id)] += 1;
  }
  const chances = Object.fromEntries(step.questions.map((question) => [question.name,
    logitsOf(question).map((logits) => logits.map((z, column) => sigmoid(question.slope * z + question.shifts[column])))]));
  data.papers.forEach((paper, row) => {
    const applies = chances.applies?.[row];
    const both = chances.filed[row].map((p, column) => p * (applies ? applies[column] : 1));
    const sum = Math.max(both.reduce((one, other) => one + other, 0), 1e-12);
    const filed = both.map((p) => rounded(p / sum));
    paper.now = applies ? applies.map(rounded) : filed;
    paper.learned = labelsFrom(paper, row, paper.now, filed);
    const isFree = !paper.decided && !paper.locked;
    paper.moved = isFree && paper.learned.primary !== paper.cells.primary ? paper.learned : null;
    paper.waits = paper.learned.waits;
    const worth = (doubt(paper.now, counts) + paper.furtherDoubt) * paper.similarity;
    paper.worth = Math.round(worth * 1e9) / 1e9;
  });
}

const step = data.fit && unpacked(data.fit);
