// Papers: reads the columns of search-index.js, and queries as the survey writes them.
//
// A query is what stands behind the `?` of browse.html: terms that all hold, such as
// `code=yes&filed=gui-agents`, and the words `q`, `sort` and `page` of this page.
"use strict";

(() => {
  const MOST_PLACES = 3;
  const CODE = "code"; // a key, and the word that asks for it
  const GENERIC = / (?:benchmark|data ?set)s?$/i; // what a name of a benchmark may end with
  const SORTS = ["relevance", "newest", "oldest", "title"];
  // Whether a year, or "", lies in a span that begins or ends with another.
  const SPANS = {
    since: (year, first) => year >= first,
    until: (year, last) => year !== "" && year <= last,
  };

  // Returns the library: what pages ask, of papers that are numbers, the newest first.
  //
  // papers, engine    what is known of them, and what finds them: engine.find(query)
  // pageSize          how many are listed at once
  // sift(found, terms)  those for which all terms hold: of the found ones the best first, or of all
  // byTitle(papers)   the same, by title
  // byAge(papers)     the same, the oldest first, undated ones last
  // places(query)     pages of labels, topics, benchmarks and claims whose names hold its words
  // counts(key, papers)  for how many of them each value of a key holds
  function makeLibrary(index, root) {
    const papers = readPapers(index, root);
    const all = index.titles.map((_, paper) => paper);
    const counted = new WeakMap();
    const engine = fieldguide.makeEngine(index, papers.namesOf);
    const sift = (found, terms) => (
      terms.length ? (found ? found.papers : all).filter(papers.holding(terms))
        : found ? found.papers : all
    );
    const places = (index.places || []).map((place) => readPlace(place, index, engine));
    return {
      index,
      papers,
      engine,
      pageSize: 50,
      sift,
      places: (query) => findPlaces(places, root, query, engine, (terms) => sift(null, terms).length),
      byTitle: (some) => sortedBy(some, (paper) => fieldguide.fold(index.titles[paper])),
      byAge: (some) => sortedBy(some, (paper) => (index.dates[paper] ? -paper : paper)),
      counts: (key, some) => {
        if (!counted.has(some)) counted.set(some, countTerms(some));
        return key.values.map(([value]) => counted.get(some)[papers.numberOf(key.id, value)]);
      },
    };

    function countTerms(some) {
      const counts = new Array(papers.terms.length).fill(0);
      some.forEach((paper) => index.terms[paper].forEach((number) => { counts[number] += 1; }));
      return counts;
    }
  }

  // Returns a place with the words that find it and, of topics, labels and lists, the terms that list
  // its papers. A name that holds an abbreviation is found by its long form, too.
  function readPlace([label, kind, page, more = "", asking = ""], index, engine) {
    const name = kind === "benchmark" ? label.replace(GENERIC, "") : label.replace(/ \([^()]*\)$/, "");
    const long = fieldguide.queryWords(name).map((word) => engine.longForm(word) || "");
    const named = [...fieldguide.indexedWords(`${name} ${long.join(" ")}`)];
    const terms = kind === "topic" && index.keys[0] ? [[index.keys[0].id, page.slice(2, -5)]]
      : [...new URLSearchParams(page.split("?")[1])].filter(([key]) => key !== "sort");
    return {
      label, kind, page, name, terms, named, asking: asking.split(" "),
      own: [...named, ...fieldguide.indexedWords(more)], cues: more.split(" "),
    };
  }

  // A place that one word asks for comes first, then topics by their names, whole names, and what
  // holds the most words; topics by their definitions only where none is by its name. Before all of
  // them stands what has all topics and labels that a query names, where nothing else is asked.
  function findPlaces(places, root, query, engine, countPapers) {
    const asked = readAsked(places, query, engine);
    const hits = places.map((place) => ({ ...hitOf(place, asked), ...listOf(place, asked, countPapers) }))
      .filter(({ isFound }) => isFound);
    const hasName = hits.some(({ byName }) => byName);
    const found = hits.filter(({ kind, byName }) => kind !== "topic" || byName || !hasName)
      .sort((one, other) => other.isAsked - one.isAsked || other.byName - one.byName
        || other.isNamed - one.isNamed
        || other.held - one.held
        || other.share - one.share)
      .filter(({ page }, at, all) => all.findIndex((one) => one.page === page) === at);
    const { terms, label, left, picked } = asked.named;
    const isList = found.some(({ kind, isAsked }) => kind === "list" && isAsked);
    const number = left || picked < 2 || isList ? 0 : countPapers(terms);
    const both = number ? [{
      label: `${label} (${fieldguide.counted(number, "paper")})`, kind: "list",
      page: `browse.html?${queryOf(terms, "").slice(1)}`,
    }] : [];
    return [...both, ...found].slice(0, MOST_PLACES)
      .map((place) => ({ ...place, href: root + place.page }));
  }

  // Returns the words of a query; the telling ones: without those that ask for a place by
  // themselves, and those that many papers have, where there are others: whoever asks for the memory
  // of agents asks for memory; `rest`, what is typed but for words that ask; what is named.
  function readAsked(places, query, engine) {
    const words = fieldguide.queryWords(query);
    const others = words.filter((word) => !places.some(({ asking }) => (
      formsOf(word).some((form) => asking.includes(form))
    )));
    const left = others.length ? others : words;
    const rare = left.filter((word) => !engine.isCommon(word));
    const rest = typed(query, others);
    return {
      words, rest, telling: rare.length ? rare : left, named: namedTerms(places, rest, engine),
      names: fieldguide.queryNames(query).map(fieldguide.fold),
    };
  }

  function formsOf(word) {
    return [word, ...fieldguide.kin(word)];
  }

  // Returns those parts of a text that hold one of some words.
  function typed(text, some) {
    return text.split(/\s+/).filter((part) => (
      fieldguide.queryWords(part).some((word) => some.includes(word))
    )).join(" ");
  }

  // Returns how a place meets what is asked. Of three words and more most are enough: a claim seldom
  // says all that is asked. A place whose whole name is asked for is found among other words.
  function hitOf({ kind, name, named, own, asking }, { words, telling, names }) {
    // A name is no beginning of another word.
    const isIn = (some, word, forms = [word]) => some.some((one) => forms.some((form) => (
      one === form || (form.length > 2 && !names.includes(word) && one.startsWith(form))
    )));
    const wanted = kind === "benchmark" ? telling.filter((word) => !GENERIC.test(` ${word}`)) : telling;
    const least = wanted.length < 3 ? wanted.length : Math.ceil(wanted.length * 0.6);
    const heldBy = (some) => wanted.filter((word, at) => isIn(some, word, [
      ...formsOf(word), word + wanted[at + 1], wanted[at - 1] + word,
    ])).length;
    const held = heldBy(own);
    const isAsked = words.flatMap(formsOf).some((word) => asking.includes(word));
    const isNamed = fieldguide.queryWords(name).every((word) => words.includes(word));
    return {
      kind, held, isAsked, isNamed,
      byName: kind === "topic" && held > 0 && heldBy(named) >= least,
      share: words.filter((word) => isIn(named, word)).length / named.length,
      isFound: isAsked || isNamed || (held > 0 && held >= least),
    };
  }

  // Returns label and address of a place; a list is one of what else is asked for: by the topics and
  // labels that are named, where some paper has them, else by words.
  function listOf({ label, kind, page, terms }, { rest, named }, countPapers) {
    if (kind !== "list" || !rest) return { label, page };
    return named.picked && countPapers([...terms, ...named.terms])
      ? { label: `${label}: ${named.label}`, page: page + queryOf(named.terms, named.left) }
      : { label: `${label}: ${rest}`, page: page + queryOf([], rest) };
  }

  function queryOf(terms, q) {
    return [...terms, ...(q ? [["q", q]] : [])]
      .map(([key, value]) => `&${quote(key)}=${quote(value)}`).join("");
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
    const words = all.filter((word) => !benchmarks.includes(word));
    // Labels stand in the order of how much they tell.
    const shareOf = ({ kind, by, named }) => (kind === "topic" ? by.length / named.length : 0);
    const candidates = places.filter(({ kind }) => kind === "topic" || kind === "label")
      .map((place) => ({ ...place, by: wordsNaming(place, words, engine) }))
      .sort((one, other) => other.by.length - one.by.length || shareOf(other) - shareOf(one));
    candidates.push({ name: "code linked or stated", terms: [[CODE, "yes"]], by: [CODE] });
    const isTelling = (word) => word === CODE || !engine.isCommon(word);
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

  function sortedBy(papers, keyOf) {
    const keys = new Map(papers.map((paper) => [paper, keyOf(paper)]));
    return [...papers].sort((one, other) => (
      keys.get(one) < keys.get(other) ? -1 : Number(keys.get(one) > keys.get(other))
    ));
  }

  // Returns the terms that can be asked for; a term is a number: its place among the values of all
  // keys.
  function readTerms(index) {
    const terms = index.keys.flatMap((key) => key.values.map(([value, label, phrase]) => (
      { key, value, label, phrase }
    )));
    const numbers = new Map(terms.map(({ key, value }, number) => [`${key.id}=${value}`, number]));
    return { terms, numberOf: (key, value) => numbers.get(`${key}=${value}`) };
  }

  function readPapers(index, root) {
    const { terms, numberOf } = readTerms(index);
    const shown = (paper) => index.terms[paper].map((number) => terms[number]);
    return {
      count: index.titles.length,
      terms,
      numberOf,
      namesOf: (paper) => [false, true].map((nested) => shown(paper)
        .filter((term) => isName(term) && Boolean(term.key.nested) === nested)
        .map((term) => term.label)),
      // What tells whether all terms of a query hold for a paper; an unknown value holds for none.
      holding: (wanted) => {
        const tests = wanted.map(([key, value]) => {
          if (SPANS[key]) return (paper) => SPANS[key](index.dates[paper].slice(0, 4), value);
          const number = numberOf(key, value);
          return (paper) => index.terms[paper].includes(number);
        });
        return (paper) => tests.every((holds) => holds(paper));
      },
      paper: (position) => readPaper(index, root, position, shown(position)),
    };
  }

  function isName(term) {
    return term.key.searched && term.value !== "none";
  }

  // Returns what lists show of the paper at a position of columns, for which terms hold.
  function readPaper(index, root, position, terms) {
    const labels = (key) => terms.filter((term) => term.key.id === key).map((term) => term.label);
    const values = (key) => terms.filter((term) => term.key.id === key).map((term) => term.value);
    const date = index.dates[position];
    return {
      href: `${root}p/${index.pages[position]}.html`,
      title: index.titles[position],
      authors: shortAuthors(index.authors[position]),
      machineDate: date,
      date: dateInWords(date, date.length > 4 ? labels("month")[0] : date),
      topic: labels("filed")[0],
      kinds: terms.filter((term) => term.key.kind && isName(term)).map((term) => term.label),
      status: values("status")[0],
      isKey: values("key")[0] === "yes",
      code: values("code").includes("linked") && index.code[position].split(" ")[0],
      text: index.texts[position].split("\n")[0],
      // The sentences that say what is unsolved, by the numbers of these terms.
      unsolved: new Map(index.unsolved[position].map(([number, start, end]) => (
        [number, [...index.texts[position].split("\n")[1]].slice(start, end).join("")]
      ))),
    };
  }

  // "Ada One; Ben Two; Cy Three; Di Four" -> "Ada One et al."
  function shortAuthors(authors) {
    const names = authors.split("; ");
    if (names.length > 3 || names[names.length - 1] === "et al.") return `${names[0]} et al.`;
    const last = names.pop();
    return names.length ? `${names.join(", ")} and ${last}` : last;
  }

  function dateInWords(date, month) {
    return date.length === 10 ? `${Number(date.slice(8))} ${month}` : month;
  }

  // Returns the state that a query string asks for; `strange` are parts of it that are no query.
  function readQuery(search, index) {
    const known = new Set(index.keys.map((key) => key.id));
    const state = { terms: [], q: "", sort: "", page: 1, strange: [] };
    for (const [key, value] of new URLSearchParams(search)) {
      if (SPANS[key] && /^\d{4}$/.test(value)) state.terms.push([key, value]);
      else if (known.has(key)) addTerm(state, key, value);
      else if (key === "q") state.q = value;
      else if (key === "sort" && SORTS.includes(value)) state.sort = value;
      else if (key === "page" && Number(value) >= 1) state.page = Math.floor(Number(value));
      else if (key !== "all" || value) state.strange.push(`${key}=${value}`);
    }
    return state;
  }

  function addTerm(state, key, value) {
    if (!state.terms.some(([one, other]) => one === key && other === value)) {
      state.terms.push([key, value]);
    }
  }

  // Returns the query string of a state, "" where it is all papers; the terms in the order in which
  // facts.json has them.
  function writeQuery(state) {
    const written = state.terms.map(([key, value]) => `${quote(key)}=${quote(value)}`).sort();
    if (state.q) written.push(`q=${quote(state.q)}`);
    if (state.sort) written.push(`sort=${state.sort}`);
    if (state.page > 1) written.push(`page=${state.page}`);
    return written.length ? `?${written.join("&")}` : "";
  }

  function quote(text) {
    return encodeURIComponent(text).replace(/%2F/g, "/")
      .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  }

  Object.assign(fieldguide, { SPANS, makeLibrary, readTerms, readPaper, sortedBy, readQuery, writeQuery });
})();
