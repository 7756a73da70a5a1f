// Places: pages that are of no paper, such as those of topics, benchmarks and claims, and lists of
// papers, found by the words of a query.
"use strict";

(() => {
  const MOST_PLACES = 4;
  const MOST_OF_A_KIND = 2; // but for what is asked for by a word
  const CODE = "code"; // a key, and the word that asks for it
  const NO = "no"; // names no label: "no code" is no "no training"
  const FILLING = new Set((
    `another better help helps only per report reported reports say says use used uses worse ${NO}`
  ).split(" "));
  const GENERIC = / (?:benchmark|data ?set)s?$/i; // what a name of a benchmark may end with
  const NUMBERED = /-.*\d|\d.*-/; // a name, of which no word means anything: Search-R1
  const NO_CUES = new Set();
  const SHORT = 4;
  const IN_PARTS = new Set(["topic", "open problem"]); // whose name is a list
  const OF_A_NAME = new Set(["benchmark", "index"]); // a single word of many asks for none
  const HAS_CUES = new Set(["label", "open problem"]);
  // What one word asks for only together with others that find it: "who disputes memory".
  const OF_A_TOPIC = new Set(["claim", "open problem", "table"]);

  const formsOf = fieldguide.remembered((word) => [word, ...fieldguide.kin(word)]);
  // "correction" -> "correct", with which "corrects" begins
  const stem = fieldguide.remembered((word) => word.replace(/(?<=.{5})(?:ions?|ics?|ing|ed|es|s)$/, ""));

  // Returns what answers a query with places, the best first: { label, kind, href, isPartly }, the last
  // of those that hold some of its words, since none holds all.
  //
  // countPapers(terms)  for how many papers all terms hold
  function makePlaces(index, engine, root, countPapers) {
    const places = (index.places || []).map((place) => readPlace(place, index, engine));
    return (query) => findPlaces(places, query, engine, countPapers).slice(0, MOST_PLACES)
      .map(({ label, kind, page, isPartly }) => ({ label, kind, isPartly, href: root + page }));
  }

  // Returns a place with the words that find it and, of topics, labels and lists, the terms that list
  // its papers. A name that holds an abbreviation is found by its long form, too.
  function readPlace([label, kind, page, more = "", asking = ""], index, engine) {
    const name = kind === "benchmark" ? label.replace(GENERIC, "") : label.replace(/ \([^()]*\)$/, "");
    const long = fieldguide.queryWords(name).map((word) => engine.longForm(word) || "");
    // "world" is no beginning of ALFWorld.
    const shown = kind === "benchmark" ? name.toLowerCase() : name;
    const named = [...fieldguide.indexedWords(`${shown} ${long.join(" ")}`)];
    const { terms, sort } = fieldguide.readQuery(page.split("?")[1], index);
    if (kind === "topic" && index.keys[0]) terms.push([index.keys[0].id, page.slice(2, -5)]);
    const cues = HAS_CUES.has(kind) ? more.split(" ") : [];
    const own = cues.length ? named : [...named, ...fieldguide.indexedWords(more)];
    return {
      label, kind, page, name, terms, sort, named, own, cues,
      whole: fieldguide.queryWords(name), stems: new Set(cues.map(stem)), asking: asking.split(" "),
    };
  }

  // A place that one word asks for comes first, and what it asks for of a topic; then topics by their
  // names, whole names, and what holds the most words; topics by their definitions only where none is
  // by its name. Before all of them stands what has all topics and labels that a query names, where
  // nothing else is asked.
  function findPlaces(places, query, engine, countPapers) {
    const asked = readAsked(places, query, engine);
    const holding = (most) => places
      .map((place) => ({ ...place, ...hitOf(place, asked, most, engine) })).filter(({ isFound }) => isFound);
    const all = holding(Infinity);
    const isPartly = !all.length;
    const some = isPartly ? holding(1).filter(({ kind }) => !OF_A_NAME.has(kind)) : all;
    const hits = some.flatMap((place) => (
      listsOf(place, asked, engine, countPapers).map((list) => ({ ...place, ...list, isPartly }))
    ));
    const hasName = hits.some(({ byName }) => byName);
    const found = hits.filter(({ kind, byName }) => kind !== "topic" || byName || !hasName)
      .sort((one, other) => other.isAsked - one.isAsked || other.byName - one.byName
        || other.isNamed - one.isNamed
        || other.held - one.held
        || other.share - one.share)
      .filter(({ page }, at, all) => all.findIndex((one) => one.page === page) === at)
      .filter(({ kind, isAsked }, at, all) => (
        isAsked || all.slice(0, at).filter((one) => one.kind === kind).length < MOST_OF_A_KIND
      ));
    const { terms, label, left, picked } = asked.named;
    const isList = found.some(({ kind, isAsked }) => kind === "list" && isAsked);
    const number = left || picked < 2 || isList ? 0 : countPapers(terms);
    const both = {
      label: `${label} (${fieldguide.counted(number, "paper")})`, kind: "list", page: listing(terms), isPartly: false,
    };
    return number ? [both, ...found] : found;
  }

  // Returns the words of a query; the telling ones: without those that ask for a place by
  // themselves, and those that many papers have, where there are others: whoever asks for the memory
  // of agents asks for memory; the rarest of them, none where another word asks; `rest`, what is typed
  // but for words that ask; what is named; `mates`, the words that hyphens join to each.
  function readAsked(places, query, engine) {
    const words = fieldguide.queryWords(query);
    const others = words.filter((word) => !places.some(({ asking }) => (
      formsOf(word).some((form) => asking.includes(form))
    )));
    const left = others.length ? others : words;
    const parts = query.match(fieldguide.COMPOUND) || [];
    const numbered = parts.filter((part) => NUMBERED.test(part)).flatMap(fieldguide.queryWords);
    const free = left.filter((word) => ![...numbered, ...(numbered.length ? [CODE] : [])].includes(word));
    const rare = free.filter((word) => !isFilling(word, engine));
    const rest = typed(query, others);
    const isAsked = others.length < words.length;
    const telling = rare.length || isAsked ? rare : free;
    const frequency = (word) => Math.max(...[`${word}s`, ...formsOf(word)].map(engine.frequency));
    const least = Math.min(...telling.map(frequency));
    return {
      words, rest, left, telling, named: namedTerms(places, rest, engine),
      rarest: isAsked ? [] : telling.filter((word) => frequency(word) === least),
      mates: new Map(parts.map(fieldguide.queryWords).flatMap((some) => some.map((one) => [one, some]))),
      names: fieldguide.queryNames(query).map(fieldguide.fold)
        .flatMap((one) => [one, ...fieldguide.queryWords(one).filter((word) => word.length < 4)]),
    };
  }

  function isFilling(word, engine) {
    return FILLING.has(word) || engine.isCommon(word);
  }

  // Returns those parts of a text that hold one of some words.
  function typed(text, some) {
    return text.split(/\s+/).filter((part) => (
      fieldguide.queryWords(part).some((word) => some.includes(word))
    )).join(" ");
  }

  // Returns how a place meets what is asked, if it holds `most` of the words: of three words and more
  // a few less are enough, since a claim seldom says all that is asked; but not one alone that is not
  // the rarest, nor the words of its placements alone. A place whose whole name is asked for is found
  // among other words, a topic by a part of its name, too.
  function hitOf(place, asked, most, engine) {
    const { kind, name, whole, named, own, asking } = place;
    const { words, left, telling, rarest } = asked;
    const wanted = kind === "benchmark" ? left.filter((word) => !GENERIC.test(` ${word}`)) : telling;
    const least = Math.min(most, wanted.length < 3 ? wanted.length : Math.ceil(wanted.length * 0.6));
    const heldBy = (some) => wordsHeld(some, wanted, place, asked, engine);
    const held = heldBy(own);
    const byName = heldBy(named).length;
    const isTold = held.length >= least && (held.length > 1 || held.some((word) => rarest.includes(word)));
    // Of "Task & environment synthesis" the task is no part.
    const isPart = (part, at, parts) => (part.includes(" ") || !parts[parts.length - 1].includes(" "))
      && fieldguide.queryWords(part).every((one) => (
        words.some((word) => formsOf(one).includes(word) || formsOf(word).includes(one))
      ));
    const hasPart = IN_PARTS.has(kind) && name.split(/, | & | and /).some(isPart);
    const isHeld = held.length > 0 && (byName > 0 || kind !== "claim") && (isTold || hasPart);
    const isNamed = whole.every((word) => words.includes(word));
    const isAsked = words.flatMap(formsOf).some((word) => asking.includes(word))
      && (OF_A_TOPIC.has(kind) ? Number(held.length > 0) : 2);
    return {
      held: held.length, isAsked, isNamed,
      byName: kind === "topic" && held.length > 0 && byName >= least,
      share: wordsHeld(named, words, { kind, stems: NO_CUES }, asked, engine).length / named.length,
      isFound: isAsked || isNamed || isHeld,
    };
  }

  // Returns those wanted words that some words of a place, or its cues, hold. A name, or a short word
  // that papers hold, is no beginning of another, nor is any of a word of a label: "search" is not
  // "searched". Of words that hyphens join one says nothing: "long-term" is no long task.
  function wordsHeld(some, wanted, { kind, stems }, { names, mates }, engine) {
    const isBeginning = (word, form) => !names.includes(word) && (
      engine.frequency(word) ? kind !== "label" && form.length > SHORT : form.length > 2
    );
    const held = wanted.filter((word, at) => {
      const forms = [...formsOf(word), word + wanted[at + 1], wanted[at - 1] + word];
      return forms.some((form) => stems.has(stem(form))) || [...forms, stem(word)].some((form) => (
        some.some((one) => one === form || one === `${form}s` || (isBeginning(word, form) && one.startsWith(form)))
      ));
    });
    return held.filter((word) => (mates.get(word) || []).every((one) => held.includes(one) || !wanted.includes(one)));
  }

  // Returns labels and addresses of a place; a list is one of what else is asked for: by words, if
  // they are a phrase, and by the topics and labels that are named, where some paper has them.
  function listsOf({ label, kind, page, terms, sort }, { rest, named }, engine, countPapers) {
    if (kind !== "list" || !rest) return [{ label, page }];
    const words = engine.phrased(rest);
    const both = [...terms, ...named.terms];
    const byWords = { label: `${label}: ${words}`, page: listing(terms, words, sort) };
    const byNames = { label: `${label}: ${named.label}`, page: listing(both, named.left, sort) };
    const isNamed = named.picked && countPapers(both);
    return [...(words !== rest || !isNamed ? [byWords] : []), ...(isNamed ? [byNames] : [])];
  }

  function listing(terms, q = "", sort = "") {
    return `browse.html${fieldguide.writeQuery({ terms, q, sort })}`;
  }

  // Returns { terms, picked, label, left }: the topics and labels that a query names, each by a
  // telling word, or two others, that no other has used; how many, and their names; which telling
  // words of the query are left. What lies below a topic is named for both.
  function namedTerms(places, query, engine) {
    const text = engine.shortened(query);
    const all = fieldguide.queryWords(text);
    const benchmarks = places.filter(({ kind }) => kind === "benchmark")
      .map(({ name }) => fieldguide.queryWords(name))
      .filter((name) => name.every((word) => all.includes(word))).flat();
    const words = all.filter((word) => word !== NO && !benchmarks.includes(word));
    // Labels stand in the order of how much they tell.
    const shareOf = ({ kind, by, named }) => (kind === "topic" ? by.length / named.length : 0);
    const candidates = places.filter(({ kind }) => kind === "topic" || kind === "label")
      .map((place) => ({ ...place, by: wordsNaming(place, words, engine) }))
      .sort((one, other) => other.by.length - one.by.length || shareOf(other) - shareOf(one));
    candidates.push(all.includes(NO)
      ? { name: "no code linked or stated", terms: [[CODE, "no"]], by: [NO, CODE] }
      : { name: "code linked or stated", terms: [[CODE, "yes"]], by: [CODE] });
    const isTelling = (word) => word === CODE || !isFilling(word, engine);
    const left = new Set(all);
    const picked = [];
    for (const place of candidates) {
      const brought = place.by.filter((word) => left.has(word));
      if (brought.length > 1 || brought.some(isTelling)) picked.push(place);
      brought.forEach((word) => left.delete(word));
    }
    const isAbove = ([[, id]], [[, other]]) => other.startsWith(`${id}/`);
    const lowest = picked.filter((one) => !picked.some((other) => isAbove(one.terms, other.terms)));
    return {
      terms: lowest.flatMap(({ terms }) => terms),
      picked: lowest.length,
      label: lowest.map(({ name }) => name).join(" + "),
      left: typed(text, [...left].filter(isTelling)),
    };
  }

  // Returns those words of a query by which it names a topic, or a label: all telling ones of a part
  // of its name ("GUI" of "GUI & computer-use agents"), two of a part without any ("multi-agent" of
  // "Multi-agent systems"), or a cue of the label.
  function wordsNaming({ kind, name, cues }, words, engine) {
    const isSame = (one, other) => one === other || `${one}s` === other || one === `${other}s`;
    const heldBy = (text) => {
      const some = fieldguide.queryWords(text);
      return words.filter((word) => some.some((one) => isSame(one, word)));
    };
    const isWhole = (part) => {
      const own = fieldguide.queryWords(part);
      const rare = own.filter((word) => !engine.isCommon(word));
      const held = (rare.length ? rare : own).filter((word) => words.some((one) => isSame(one, word)));
      return held.length === (rare.length || Math.min(2, own.length));
    };
    if (kind === "topic") {
      const parts = [name, engine.shortened(name)].flatMap((one) => one.split(/, | & /));
      return heldBy(parts.filter(isWhole).join(" "));
    }
    const hits = words.filter((word, at) => cues.some((cue) => (
      isSame(cue, word) || cue === word + words[at + 1] || cue === words[at - 1] + word
    )));
    const isNamed = hits.length || isWhole(name.split(": ").pop());
    return isNamed ? [...new Set([...hits, ...heldBy(name)])] : [];
  }

  Object.assign(fieldguide, { makePlaces });
})();
