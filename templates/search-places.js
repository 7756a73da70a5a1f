// Places: pages that are not papers, such as topics, benchmarks and claims, and lists of papers, as
// results of a query.
"use strict";

(() => {
  const MAX_PLACES = 4;
  const MAX_OF_A_KIND = 2; // unless a word asks for the place
  // Share of the query that a place has, with rare words weighing more. If no place has more than
  // MIN_SHARE, those with at least MIN_PART are partial results.
  const MIN_SHARE = 1 / 2;
  const MIN_PART = 1 / 3;
  const CODE = "code"; // a key, and the word that asks for it
  // "code of Search-R1" asks for code, "code agents" does not.
  const ASKS_CODE = /\bopen[- ]?source[ds]?\b|\bcode\b(?=\W*(?:$|(?:and|available|for|from|in|is|link\w*|of|on|or|public|released|stated)\b))/i;
  const OF_CODE = new Set([CODE, "available", "open", "released", "source", "sourced"]);
  const NO = "no"; // part of no label: "no code" is not "no training"
  const FILLERS = new Set((
    "advances another beat beats better findings help helps itself only per report reported reports result "
    + `results say says themselves train trained trains use used uses work worse ${NO}`
  ).split(" "));
  const GENERIC = / (?:benchmark|data ?set)s?$/i; // end of a benchmark's name
  const NUMBERED = /-.*\d|\d.*-/; // The words of a name such as Search-R1 mean nothing by themselves.
  const MAX_SHORT_WORD = 4; // letters
  const FIRST = "papers to read first"; // only if a word asks for it: the topic's page has it
  const NAMED_BY_LISTS = new Set(["topic", "open problem"]); // "Memory & context"
  const WHOLE_NAMES = new Set(["benchmark", "index", "landmark"]); // not found by a part of the query
  const WITH_CUES = new Set(["topic", "label", "open problem", "landmark"]);
  // A single word finds these only together with their own words: "who disputes memory".
  const OF_A_TOPIC = new Set(["claim", "open problem", "table", FIRST]);

  const { formsOf, queryWords, stem } = fieldguide;

  // Returns a function that finds the places of a query, the best first: { label, kind, href, isPartly }.
  //
  // countPapers(terms)  number of papers with all terms
  function makePlaces(index, engine, root, countPapers) {
    const places = (index.places || []).map((place) => readPlace(place, index, engine));
    return (query) => findPlaces(places, query, engine, countPapers).slice(0, MAX_PLACES)
      .map(({ label, kind, page, isPartly }) => ({ label, kind, isPartly, href: root + page }));
  }

  // Returns a place with its words, cues, and the terms that list its papers. An abbreviation in a name
  // is also found by its long form, and the reverse.
  function readPlace([label, kind, page, more = "", asking = "", about = ""], index, engine) {
    const isBenchmark = kind === "benchmark";
    const name = isBenchmark ? label.replace(GENERIC, "") : label.replace(/ \([^()]*\)$/, "");
    // In lower case "ALFWorld" is not found by "world".
    const written = isBenchmark ? name.toLowerCase() : name;
    const long = withLongForms(written, engine);
    const named = [...fieldguide.indexedWords(`${written} ${long} ${engine.shortened(written)} ${about}`)];
    const { terms, sort } = fieldguide.readQuery(page.split("?")[1], index);
    if (kind === "topic" && index.keys[0]) terms.push([index.keys[0].id, page.slice(2, -5)]);
    const cues = (WITH_CUES.has(kind) ? more.split(", ") : [])
      .flatMap((cue) => [cue, engine.shortened(cue)]).map((cue) => queryWords(cue).join(""));
    return {
      label, kind, page, name, terms, sort, named, cues, long: fieldguide.fold(long),
      ofAllPapers: kind === "topic" || (kind === "label" && !/ of \d/.test(label)),
      words: cues.length ? named : [...named, ...fieldguide.indexedWords(more)],
      nameWords: queryWords(name),
      stems: new Set(cues.map(stem)),
      asking: new Set(askingWords(asking)),
    };
  }

  // Returns the places of a query. First the list of what has all topics and labels that the query names,
  // if it asks for nothing else; then places that a word asks for, those with their whole name in the
  // query, with neighbouring words of it, and with the largest share of it. Topics found by name come
  // before other places, topics found by cues only if none was found by name.
  function findPlaces(places, query, engine, countPapers) {
    const asked = readRequest(places, query, engine, countPapers);
    const met = places.map((place) => ({ ...place, ...matchOf(place, asked, engine) }))
      .filter(({ isFound }) => isFound);
    const whole = met.filter(({ isPartly }) => !isPartly);
    const some = whole.length ? whole : met.filter(({ kind }) => !WHOLE_NAMES.has(kind));
    const hasName = some.some(({ byName }) => byName);
    const found = some.filter(({ kind, byName }) => kind !== "topic" || byName || !hasName)
      .map((place) => ({ ...place, ...listOf(place, asked, countPapers) }))
      .sort((one, other) => other.isAsked - one.isAsked || other.isNamed - one.isNamed
        || other.pairs - one.pairs || other.share - one.share
        || other.byName - one.byName || other.ofName - one.ofName)
      .filter(({ page, isAsked, hasRareWord }, at, all) => (
        all.findIndex((one) => one.page === page) === at && (isAsked || hasRareWord || !all[0].isAsked)
      ))
      .filter(({ kind, isAsked }, at, all) => (
        isAsked === 1 || all.slice(0, at).filter((one) => one.kind === kind).length < MAX_OF_A_KIND
      ));
    const { terms, label, left, n } = asked.named;
    const isList = found.some(({ kind, isAsked }) => kind === "list" && isAsked);
    const number = left || n < 2 || isList ? 0 : countPapers(terms);
    const both = {
      label: `${label} (${fieldguide.counted(number, "paper")})`, kind: "list", page: listing(terms), isPartly: false,
    };
    return number ? [both, ...found] : found;
  }

  // Returns { words, forms, left, rest, named, pairs, weigh, mates, names } of a query:
  //
  // left   its words without those that ask for a place, if there are others
  // rest   the same as typed
  // named  the topics and labels that it names
  // weigh  sums the weights of words; fillers and parts of a numbered name weigh nothing
  // mates  word -> the words that hyphens join to it
  function readRequest(places, query, engine, countPapers) {
    const words = queryWords(query);
    const forms = new Map(words.map((word, at) => [word, runsAt(words, at).flatMap(formsOf)]));
    const others = words.filter((_, at) => !places.some(({ asking }) => asksAt(words, at, asking)));
    const left = others.length ? others : words;
    const parts = fieldguide.withPriceWords(query).match(fieldguide.COMPOUND) || [];
    const numbered = parts.filter((part) => NUMBERED.test(part)).flatMap(queryWords);
    const idle = new Set([...FILLERS, ...numbered, ...(numbered.length ? [CODE] : [])]);
    const frequency = (word) => Math.max(1, ...[`${word}s`, ...formsOf(word)].map(engine.frequency));
    const weights = new Map(left.filter((word) => !idle.has(word))
      .map((word) => [word, Math.log((engine.size + 1) / frequency(word))]));
    const rest = typed(query, others);
    return {
      words, forms, left, rest, named: namedTerms(places, rest, engine, countPapers),
      pairs: fieldguide.pairsIn(withLongForms(query, engine)).filter(([pair]) => !pair.every(engine.isCommon)),
      weigh: (some) => some.reduce((sum, word) => sum + (weights.get(word) || 0), 0),
      mates: new Map(parts.map(queryWords).flatMap((some) => some.map((one) => [one, some]))),
      names: parts.filter((part) => fieldguide.NAME.test(part)).map(fieldguide.fold)
        .flatMap((one) => [one, ...queryWords(one).filter((word) => word.length < 4)]),
    };
  }

  // Returns a text with the long forms of its abbreviations.
  function withLongForms(text, engine) {
    return text.replace(fieldguide.COMPOUND, (word) => (
      (!engine.isCommon(fieldguide.spelling(word)) && engine.longForm(word)) || word
    ));
  }

  // Returns the parts of a text that contain one of some words, without the signs after them.
  function typed(text, some) {
    return text.split(/[?!,;:.]*(?:\s+|$)/)
      .filter((part) => queryWords(part).some((word) => some.includes(word))).join(" ");
  }

  // Returns how a place matches a query. A claim is not found by the words of its placements alone, and a
  // label only by a whole part of its value or by a cue.
  function matchOf(place, asked, engine) {
    const { kind, name, named, stems } = place;
    const { words, left, weigh } = asked;
    const expected = left.filter((word) => kind !== "benchmark" || !GENERIC.test(` ${word}`));
    const shareOf = (nMatched) => weigh(nMatched) / (weigh(expected) || 1);
    const inName = matchedWords(named, new Set(), expected, asked, engine);
    const isOther = kind === "label" && !namesWhole(name.split(": ").pop(), words, engine);
    const nMatched = matchedWords(isOther ? [] : place.words, stems, expected, asked, engine);
    const share = kind === "claim" && !inName.length ? 0 : shareOf(nMatched);
    const hasMost = WHOLE_NAMES.has(kind) ? share === 1 : share > MIN_SHARE;
    const isNamed = place.nameWords.every((word) => words.includes(word));
    const asks = words.some((_, at) => asksAt(words, at, place.asking));
    const pairs = asked.pairs.filter(([, pair]) => place.long.search(pair) >= 0).length;
    const isPart = (kind === "claim" && pairs > 0)
      || (NAMED_BY_LISTS.has(kind) && nMatched.length > 0 && namesPart(name, words, engine));
    const isAsked = asks && OF_A_TOPIC.has(kind) ? 2 * hasMost : Number(asks);
    return {
      share, isNamed, isAsked, pairs,
      byName: place.ofAllPapers && shareOf(inName) > MIN_SHARE,
      ofName: inName.length / named.length,
      isFound: isAsked || (kind !== FIRST && (isNamed || isPart || share >= MIN_PART)),
      hasRareWord: isNamed || pairs > 0 || nMatched.some((word) => !engine.isCommon(word)),
      isPartly: !(isAsked || isNamed || isPart || hasMost),
    };
  }

  // Returns whether words name one item of a name that is a list. "Task" is not an item of "Task &
  // environment synthesis".
  function namesPart(name, words, engine) {
    const parts = name.split(/, | & | and /);
    return parts.some((part) => (
      (part.includes(" ") || !parts.at(-1).includes(" ")) && namesWhole(part, words, engine)
    ));
  }

  // Returns whether words name a text: by all its rare words ("GUI" of "GUI agents") or, if it has none,
  // by two words ("multi-agent" of "Multi-agent systems").
  function namesWhole(text, words, engine) {
    const own = queryWords(text);
    const rare = own.filter((word) => !engine.isCommon(word));
    const nMatched = (rare.length ? rare : own).filter((word) => words.some((one) => isSame(one, word)));
    return nMatched.length === (rare.length || Math.min(2, own.length));
  }

  function isSame(one, other) {
    return formsOf(one).includes(other) || formsOf(other).includes(one);
  }

  // Returns the expected words that the words of a place, or the stems of its cues, contain. A name, or a
  // short word of papers, is not a beginning. Words joined by hyphens count only together: "long-term"
  // is not a long task.
  function matchedWords(some, stems, expected, { forms, names, mates }, engine) {
    const isBeginning = (word, form) => (
      !names.includes(word) && form.length > (engine.frequency(word) ? MAX_SHORT_WORD : 2)
    );
    const nMatched = expected.filter((word) => (
      forms.get(word).some((form) => stems.has(stem(form))) || [...forms.get(word), stem(word)].some((form) => (
        some.some((one) => one === form || one === `${form}s` || (isBeginning(word, form) && one.startsWith(form)))
      ))
    ));
    return nMatched.filter((word) => (mates.get(word) || []).every((one) => nMatched.includes(one) || !expected.includes(one)));
  }

  // Returns label and address of a place. A list is narrowed to the topics and labels that the query names,
  // if some paper has them, and to the other words.
  function listOf({ label, kind, page, terms, sort }, { rest, named }, countPapers) {
    if (kind !== "list" || !rest) return { label, page };
    const both = [...terms, ...named.terms];
    const isNamed = named.n > 0 && countPapers(both) > 0;
    const words = isNamed ? named.left : rest;
    const what = (isNamed ? ` labelled ${named.label}` : "") + (words ? `: ${words}` : "");
    return { label: label + what, page: listing(isNamed ? both : terms, words, sort) };
  }

  function listing(terms, q = "", sort = "") {
    return `browse.html${fieldguide.writeQuery({ terms, q, sort })}`;
  }

  // Returns { terms, n, label, left }: the topics and labels that a query names, each by a rare word or two
  // others that no better one has used, their number and names, and the other rare words of the query.
  function namedTerms(places, query, engine, countPapers) {
    const text = engine.shortened(query);
    const all = queryWords(text);
    const benchmarks = places.filter(({ kind }) => kind === "benchmark").map(({ nameWords }) => nameWords)
      .filter((name) => name.every((word) => all.includes(word))).flat();
    const words = all.filter((word) => word !== NO && !benchmarks.includes(word));
    // Parts of topics come last, and before them those with the most words of the query.
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
    const isRare = (word) => word === CODE || !(FILLERS.has(word) || engine.isCommon(word));
    const isAbove = ([[, id]], [[, other]]) => other.startsWith(`${id}/`);
    const left = new Set(all);
    const picked = [];
    for (const place of candidates) {
      const used = place.by.filter((word) => left.has(word));
      // The values of one key are alternatives: a list has one of them, or a topic and its part.
      const isFree = picked.every(({ terms }) => terms[0][0] !== place.terms[0][0]
        || isAbove(terms, place.terms) || isAbove(place.terms, terms));
      if (isFree && (used.length > 1 || used.some(isRare))) picked.push(place);
      used.forEach((word) => left.delete(word));
    }
    const lowest = picked.filter((one) => !picked.some((other) => isAbove(one.terms, other.terms)));
    // If no paper has all of them, a subtopic is replaced by its topic.
    const isEmpty = lowest.length > 1 && !countPapers(lowest.flatMap(({ terms }) => terms));
    const topics = places.filter(({ kind }) => kind === "topic");
    const named = lowest.map((one) => (isEmpty && topics.find((other) => isAbove(other.terms, one.terms))) || one);
    return {
      terms: named.flatMap(({ terms }) => terms),
      n: named.length,
      label: named.map(({ name }) => name).join(" + "),
      left: typed(text, [...left].filter(isRare)),
    };
  }

  // Returns the words of a query that name a topic or label: by a part of its name or by a cue; a topic
  // only by a cue that shares a rare word with its name.
  function wordsNaming({ kind, name, cues }, words, engine) {
    const names = [name, engine.shortened(name)];
    const own = queryWords(names.join(" "));
    const nMatched = words.filter((word) => own.some((one) => isSame(one, word)));
    const hits = words.filter((_, at) => (
      runsAt(words, at).some((run) => cues.some((cue) => isSame(cue, run)))
    ));
    const isNamed = kind === "label"
      ? hits.length > 0 || namesWhole(name.split(": ").pop(), words, engine)
      : names.some((one) => namesPart(one, words, engine))
        || hits.some((word) => nMatched.includes(word) && !engine.isCommon(word));
    return isNamed ? [...new Set([...hits, ...nMatched])] : [];
  }

  // Returns the words that ask for a place: "open-problem" is two words as one; "^new" asks only at the
  // start of a query.
  function askingWords(text) {
    return (text || "").replaceAll("-", "").split(" ").filter(Boolean);
  }

  // Returns whether a word of a query asks for a place, alone or with its neighbours.
  function asksAt(words, at, asking) {
    return (at === 0 && asking.has(`^${words[0]}`))
      || runsAt(words, at).flatMap(formsOf).some((form) => asking.has(form));
  }

  // Returns a word, and the word joined with its neighbours: "open problems" gives "openproblems".
  function runsAt(words, at) {
    return [1, 2, 3].flatMap((length) => [...Array(length).keys()].map((back) => (
      words.slice(Math.max(0, at - back), at - back + length).join("")
    )));
  }

  Object.assign(fieldguide, { askingWords, asksAt, makePlaces });
})();
