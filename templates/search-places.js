// Places: pages that are of no paper, such as those of topics, benchmarks and claims, and lists of
// papers, found by the words of a query.
"use strict";

(() => {
  const MOST_PLACES = 4;
  const MOST_OF_A_KIND = 2; // but for what is asked for by a word
  // How much of a query a place holds, its words weighed by how few papers have them; where none
  // holds so much, some.
  const MOST = 1 / 2;
  const SOME = 1 / 3;
  const CODE = "code"; // a key, and the word that asks for it
  // What may stand behind the word where it asks: "code of Search-R1" does, "code agents" asks for none.
  const ASKS_CODE = /\bopen[- ]?source[ds]?\b|\bcode\b(?=\W*(?:$|(?:and|available|for|from|in|is|link\w*|of|on|or|public|released|stated)\b))/i;
  const OF_CODE = new Set([CODE, "available", "open", "released", "source", "sourced"]);
  const NO = "no"; // names no label: "no code" is no "no training"
  const FILLING = new Set((
    "advances another beat beats better findings help helps itself only per report reported reports result "
    + `results say says themselves train trained trains use used uses work worse ${NO}`
  ).split(" "));
  const GENERIC = / (?:benchmark|data ?set)s?$/i; // what a name of a benchmark may end with
  const NUMBERED = /-.*\d|\d.*-/; // a name, of which no word means anything: Search-R1
  const SHORT = 4;
  const IN_PARTS = new Set(["topic", "open problem"]); // whose name is a list
  const OF_A_NAME = new Set(["benchmark", "index", "landmark"]); // not found by some words of many
  const HAS_CUES = new Set(["topic", "label", "open problem", "landmark"]);
  const FIRST = "papers to read first"; // only if asked for: they stand on the page of their topic
  // What one word asks for only together with others that find it: "who disputes memory".
  const OF_A_TOPIC = new Set(["claim", "open problem", "table", FIRST]);

  const { asksAt, formsOf, runsAt, stem } = fieldguide;

  // Returns what answers a query with places, the best first: { label, kind, href, isPartly }, the last
  // of those that hold some of its words, where none holds most.
  //
  // countPapers(terms)  for how many papers all terms hold
  function makePlaces(index, engine, root, countPapers) {
    const places = (index.places || []).map((place) => readPlace(place, index, engine));
    return (query) => findPlaces(places, query, engine, countPapers).slice(0, MOST_PLACES)
      .map(({ label, kind, page, isPartly }) => ({ label, kind, isPartly, href: root + page }));
  }

  // Returns a place with the words that find it and, of topics, labels and lists, the terms that list
  // its papers. A name that holds an abbreviation is found by its long form, too, and the reverse.
  function readPlace([label, kind, page, more = "", asking = "", about = ""], index, engine) {
    const name = kind === "benchmark" ? label.replace(GENERIC, "") : label.replace(/ \([^()]*\)$/, "");
    // "world" is no beginning of ALFWorld.
    const shown = kind === "benchmark" ? name.toLowerCase() : name;
    const said = engine.spelledOut(shown);
    const named = [...fieldguide.indexedWords(`${shown} ${said} ${engine.shortened(shown)} ${about}`)];
    const { terms, sort } = fieldguide.readQuery(page.split("?")[1], index);
    if (kind === "topic" && index.keys[0]) terms.push([index.keys[0].id, page.slice(2, -5)]);
    const cues = (HAS_CUES.has(kind) ? more.split(", ") : [])
      .flatMap((cue) => [...new Set([cue, engine.shortened(cue)])]).map((cue) => fieldguide.queryWords(cue).join(""));
    return {
      label, kind, page, name, terms, sort, named, cues, said: fieldguide.fold(said),
      ofAll: kind === "topic" || (kind === "label" && !/ of \d/.test(label)), // what all papers are asked
      own: cues.length ? named : [...named, ...fieldguide.indexedWords(more)],
      whole: fieldguide.queryWords(name), stems: new Set(cues.map(stem)),
      asking: new Set(fieldguide.askingWords(asking)),
    };
  }

  // What a word asks for comes first, of a topic before all; then whole names, what holds words of the
  // query side by side, what holds the most of it; topics by their names before the rest, by their cues
  // only where none is by its name. Before all of them stands what has all topics and labels that a
  // query names, where nothing else is asked.
  function findPlaces(places, query, engine, countPapers) {
    const asked = readAsked(places, query, engine, countPapers);
    const met = places.map((place) => ({ ...place, ...hitOf(place, asked, engine) }))
      .filter(({ isFound }) => isFound);
    const whole = met.filter(({ isPartly }) => !isPartly);
    const some = whole.length ? whole : met.filter(({ kind }) => !OF_A_NAME.has(kind));
    const hasName = some.some(({ byName }) => byName);
    const found = some.filter(({ kind, byName }) => kind !== "topic" || byName || !hasName)
      .map((place) => ({ ...place, ...listOf(place, asked, engine, countPapers) }))
      .sort((one, other) => other.isAsked - one.isAsked || other.isNamed - one.isNamed
        || other.pairs - one.pairs
        || other.share - one.share
        || other.byName - one.byName
        || other.ofName - one.ofName)
      .filter(({ page, isAsked, tells }, at, all) => (
        all.findIndex((one) => one.page === page) === at && (isAsked || tells || !all[0].isAsked)
      ))
      .filter(({ kind, isAsked }, at, all) => (
        isAsked === 1 || all.slice(0, at).filter((one) => one.kind === kind).length < MOST_OF_A_KIND
      ));
    const { terms, label, left, picked } = asked.named;
    const isList = found.some(({ kind, isAsked }) => kind === "list" && isAsked);
    const number = left || picked < 2 || isList ? 0 : countPapers(terms);
    const both = {
      label: `${label} (${fieldguide.counted(number, "paper")})`, kind: "list", page: listing(terms), isPartly: false,
    };
    return number ? [both, ...found] : found;
  }

  // Returns the words of a query, and the forms of each; `left`, without those that ask for a place by
  // themselves, if there are others; what these weigh: nothing if they fill a sentence or are of a name
  // with a number; `rest`, what is typed but for words that ask; what is named; the telling
  // `pairs` side by side, abbreviations spelled out; `mates`, the words that hyphens join to each.
  function readAsked(places, query, engine, countPapers) {
    const words = fieldguide.queryWords(query);
    const forms = new Map(words.map((word, at) => [word, runsAt(words, at).flatMap(formsOf)]));
    const others = words.filter((_, at) => !places.some(({ asking }) => asksAt(words, at, asking)));
    const left = others.length ? others : words;
    const parts = query.match(fieldguide.COMPOUND) || [];
    const numbered = parts.filter((part) => NUMBERED.test(part)).flatMap(fieldguide.queryWords);
    const idle = new Set([...FILLING, ...numbered, ...(numbered.length ? [CODE] : [])]);
    const frequency = (word) => Math.max(1, ...[`${word}s`, ...formsOf(word)].map(engine.frequency));
    const weights = new Map(left.filter((word) => !idle.has(word))
      .map((word) => [word, Math.log((engine.size + 1) / frequency(word))]));
    const rest = typed(query, others);
    return {
      words, forms, left, rest, named: namedTerms(places, rest, engine, countPapers),
      pairs: fieldguide.pairsIn(engine.spelledOut(query)).filter(([pair]) => !pair.every(engine.isCommon)),
      weigh: (some) => some.reduce((sum, word) => sum + (weights.get(word) || 0), 0),
      mates: new Map(parts.map(fieldguide.queryWords).flatMap((some) => some.map((one) => [one, some]))),
      names: fieldguide.queryNames(query).map(fieldguide.fold)
        .flatMap((one) => [one, ...fieldguide.queryWords(one).filter((word) => word.length < 4)]),
    };
  }

  // Returns those parts of a text that hold one of some words, without the signs behind them.
  function typed(text, some) {
    return text.split(/[?!,;:.]*(?:\s+|$)/).filter((part) => (
      fieldguide.queryWords(part).some((word) => some.includes(word))
    )).join(" ");
  }

  // Returns how a place meets what is asked: whether it holds most of what the query tells, or is
  // found by its whole name, or a topic by a part of it; a claim not by the words of its placements
  // alone, a label only by a whole part of its value, or by a cue.
  function hitOf(place, asked, engine) {
    const { kind, name, ofAll, whole, named, own, asking, stems } = place;
    const { words, left, weigh } = asked;
    const expected = left.filter((word) => kind !== "benchmark" || !GENERIC.test(` ${word}`));
    const heldBy = (some, by) => wordsHeld(some, by, expected, asked, engine);
    const shareOf = (held) => weigh(held) / (weigh(expected) || 1);
    const byName = heldBy(named, new Set());
    const isOther = kind === "label" && !namesWhole(name.split(": ").pop(), words, engine);
    const held = heldBy(isOther ? [] : own, stems);
    const share = kind === "claim" && !byName.length ? 0 : shareOf(held);
    const isTold = OF_A_NAME.has(kind) ? share === 1 : share > MOST;
    const isNamed = whole.every((word) => words.includes(word));
    const asks = words.some((_, at) => asksAt(words, at, asking));
    const pairs = asked.pairs.filter(([, pair]) => place.said.search(pair) >= 0).length;
    const isPart = (kind === "claim" && pairs > 0)
      || (IN_PARTS.has(kind) && held.length > 0 && namesPart(name, words, engine));
    const isAsked = asks && OF_A_TOPIC.has(kind) ? 2 * isTold : Number(asks);
    return {
      share, isNamed, isAsked, pairs,
      byName: ofAll && shareOf(byName) > MOST,
      ofName: byName.length / named.length,
      isFound: isAsked || (kind !== FIRST && (isNamed || isPart || share >= SOME)),
      tells: isNamed || pairs > 0 || held.some((word) => !engine.isCommon(word)),
      isPartly: !(isAsked || isNamed || isPart || isTold),
    };
  }

  // Says whether words name a part of a name that is a list. Of "Task & environment synthesis" the task
  // is no part.
  function namesPart(name, words, engine) {
    const parts = name.split(/, | & | and /);
    return parts.some((part) => (
      (part.includes(" ") || !parts.at(-1).includes(" ")) && namesWhole(part, words, engine)
    ));
  }

  // Says whether words name a text: by all in it that tells ("GUI" of "GUI agents"), or two words of
  // one that tells nothing ("multi-agent" of "Multi-agent systems").
  function namesWhole(text, words, engine) {
    const own = fieldguide.queryWords(text);
    const rare = own.filter((word) => !engine.isCommon(word));
    const held = (rare.length ? rare : own).filter((word) => words.some((one) => isSame(one, word)));
    return held.length === (rare.length || Math.min(2, own.length));
  }

  function isSame(one, other) {
    return formsOf(one).includes(other) || formsOf(other).includes(one);
  }

  // Returns those expected words that some words of a place, or the stems of its cues, hold. A name, or a
  // short word that papers hold, is no beginning of another. Of words that hyphens join one says
  // nothing: "long-term" is no long task.
  function wordsHeld(some, stems, expected, { forms, names, mates }, engine) {
    const isBeginning = (word, form) => (
      !names.includes(word) && form.length > (engine.frequency(word) ? SHORT : 2)
    );
    const held = expected.filter((word) => (
      forms.get(word).some((form) => stems.has(stem(form))) || [...forms.get(word), stem(word)].some((form) => (
        some.some((one) => one === form || one === `${form}s` || (isBeginning(word, form) && one.startsWith(form)))
      ))
    ));
    return held.filter((word) => (mates.get(word) || []).every((one) => held.includes(one) || !expected.includes(one)));
  }

  // Returns label and address of a place; a list is one of what else is asked for: of the topics and
  // labels that are named, where some paper has them, and of the words left, as a phrase if they are one.
  function listOf({ label, kind, page, terms, sort }, { rest, named }, engine, countPapers) {
    if (kind !== "list" || !rest) return { label, page };
    const both = [...terms, ...named.terms];
    const isNamed = named.picked > 0 && countPapers(both) > 0;
    const words = isNamed ? named.left : engine.phrased(rest);
    const what = (isNamed ? ` labelled ${named.label}` : "") + (words ? `: ${words}` : "");
    return { label: label + what, page: listing(isNamed ? both : terms, words, sort) };
  }

  function listing(terms, q = "", sort = "") {
    return `browse.html${fieldguide.writeQuery({ terms, q, sort })}`;
  }

  // Returns { terms, picked, label, left }: the topics and labels that a query names, each by a
  // telling word, or two others, that no other has used; how many, and their names; which telling
  // words of the query are left. What lies below a topic is named for both, but where no paper has all.
  function namedTerms(places, query, engine, countPapers) {
    const text = engine.shortened(query);
    const all = fieldguide.queryWords(text);
    const benchmarks = places.filter(({ kind }) => kind === "benchmark")
      .map(({ name }) => fieldguide.queryWords(name))
      .filter((name) => name.every((word) => all.includes(word))).flat();
    const words = all.filter((word) => word !== NO && !benchmarks.includes(word));
    // Labels stand in the order of how much they tell; parts of topics behind what all papers may be.
    const isPart = ({ kind, terms }) => Number(kind === "topic" && terms.some(([, id]) => id.includes("/")));
    const shareOf = ({ by, named }) => by.filter((word) => named.some((one) => isSame(one, word))).length / named.length;
    const candidates = places.filter(({ kind }) => kind === "topic" || kind === "label")
      .map((place) => ({ ...place, by: wordsNaming(place, words, engine) }))
      .sort((one, other) => isPart(one) - isPart(other)
        || other.by.length - one.by.length || shareOf(other) - shareOf(one));
    if (ASKS_CODE.test(query)) {
      candidates.push(all.includes(NO)
        ? { name: "no code linked or stated", terms: [[CODE, "no"]], by: [NO, CODE] }
        : { name: "code linked or stated", terms: [[CODE, "yes"]], by: all.filter((word) => OF_CODE.has(word)) });
    }
    const isTelling = (word) => word === CODE || !(FILLING.has(word) || engine.isCommon(word));
    const isAbove = ([[, id]], [[, other]]) => other.startsWith(`${id}/`);
    const left = new Set(all);
    const picked = [];
    for (const place of candidates) {
      const brought = place.by.filter((word) => left.has(word));
      const [[key]] = place.terms;
      // The values of one key are alternatives, so a list names one of them, or a topic and its part.
      const isFree = picked.every((one) => one.terms[0][0] !== key || isAbove(one.terms, place.terms)
        || isAbove(place.terms, one.terms));
      if (isFree && (brought.length > 1 || brought.some(isTelling))) picked.push(place);
      brought.forEach((word) => left.delete(word));
    }
    const lowest = picked.filter((one) => !picked.some((other) => isAbove(one.terms, other.terms)));
    const topics = places.filter(({ kind }) => kind === "topic");
    const named = lowest.length < 2 || countPapers(lowest.flatMap(({ terms }) => terms)) ? lowest
      : lowest.map((one) => topics.find((other) => isAbove(other.terms, one.terms)) || one);
    return {
      terms: named.flatMap(({ terms }) => terms),
      picked: named.length,
      label: named.map(({ name }) => name).join(" + "),
      left: typed(text, [...left].filter(isTelling)),
    };
  }

  // Returns those words of a query by which it names a topic, or a label: a part of its name, or a cue,
  // of a topic one that shares a telling word with its name.
  function wordsNaming({ kind, name, cues }, words, engine) {
    const names = [name, engine.shortened(name)];
    const own = fieldguide.queryWords(names.join(" "));
    const held = words.filter((word) => own.some((one) => isSame(one, word)));
    const hits = words.filter((_, at) => (
      runsAt(words, at).some((run) => cues.some((cue) => isSame(cue, run)))
    ));
    const isNamed = kind === "label"
      ? hits.length > 0 || namesWhole(name.split(": ").pop(), words, engine)
      : names.some((one) => namesPart(one, words, engine))
        || hits.some((word) => held.includes(word) && !engine.isCommon(word));
    return isNamed ? [...new Set([...hits, ...held])] : [];
  }

  Object.assign(fieldguide, { makePlaces });
})();
