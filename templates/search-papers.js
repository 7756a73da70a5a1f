// Papers: reads the columns of search-index.js, and the queries in addresses.
//
// A query is the part of the address of browse.html after the `?`: terms such as
// `code=yes&filed=gui-agents`, and the words `q`, `sort` and `page` of this page. The values of one
// key are alternatives; a paper must match all keys.
"use strict";

(() => {
  const SORTS = ["relevance", "newest", "oldest", "title"];
  const FIGURE = /\d\s?(?:%|×|points?\b|times\b)/; // "53.6 %", "4.5×", "12 points"
  // Key of a query -> test of a year, or "" for none.
  const SPANS = {
    since: (year, first) => year >= first,
    until: (year, last) => year !== "" && year <= last,
  };

  const TYPED_SPAN = /(?<=^|\s)(since|until):(\d{4})(?=\s|$)/g;

  // Returns the library of an index. Papers are represented by their positions; the newest is 0.
  //
  // papers, engine    the data of the papers, and the search: engine.find(query)
  // pageSize          number of papers on a page of the list
  // filterPapers(found, terms)  the found papers, or all, that have the terms
  // byTitle(papers)   the papers by title
  // byAge(papers)     the papers, the oldest first, undated ones last
  // places(query)     the places of a query, see search-places.js
  // counts(key, papers)  number of the papers with each value of a key
  function makeLibrary(index, root) {
    const papers = readPapers(index, root);
    const all = index.titles.map((_, paper) => paper);
    const counted = new WeakMap();
    const engine = fieldguide.makeEngine(index, papers.namesOf);
    const filterPapers = (found, terms) => {
      const some = found ? found.papers : all;
      return terms.length ? some.filter(papers.hasTerms(terms)) : some;
    };
    const countPapers = (terms) => filterPapers(null, terms).length;
    return {
      index,
      papers,
      engine,
      pageSize: 50,
      filterPapers,
      places: fieldguide.makePlaces(index, engine, root, countPapers),
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

  function sortedBy(papers, keyOf) {
    const keys = new Map(papers.map((paper) => [paper, keyOf(paper)]));
    return [...papers].sort((one, other) => (
      keys.get(one) < keys.get(other) ? -1 : Number(keys.get(one) > keys.get(other))
    ));
  }

  // Returns all terms, and a function that returns the index of a term among the values of all keys.
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
      // Returns a function that tests whether a paper has, for each key, one of the values in `expected`.
      // No paper has an unknown value.
      hasTerms: (expected) => {
        const tests = [...new Set(expected.map(([key]) => key))].map((key) => {
          const values = expected.filter(([one]) => one === key).map(([, value]) => value);
          if (SPANS[key]) {
            return (paper) => values.some((value) => SPANS[key](index.dates[paper].slice(0, 4), value));
          }
          const numbers = values.map((value) => numberOf(key, value));
          return (paper) => numbers.some((number) => index.terms[paper].includes(number));
        });
        return (paper) => tests.every((holds) => holds(paper));
      },
      paper: (position) => readPaper(index, root, position, shown(position)),
    };
  }

  function isName(term) {
    return term.key.searched && term.value !== "none";
  }

  // Returns the paper at a position in the form that lists print. terms: the terms of the paper.
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
      texts: index.texts[position].split("\n"),
      // Sentences that state an open problem or a release, by term index.
      said: new Map(index.said[position].map(([number, start, end]) => (
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

  // Returns the state of a query string; `strange` lists the parts that are not understood.
  function readQuery(search, index) {
    const known = new Set(index.keys.map((key) => key.id));
    const state = { terms: [], q: "", sort: "", page: 1, strange: [] };
    for (const [key, value] of new URLSearchParams(search)) {
      if (SPANS[key] && /^\d{4}$/.test(value)) state.terms.push([key, value]);
      else if (known.has(key)) addTerm(state, key, value);
      else if (key === "q") state.q = readWords(state, value);
      else if (key === "sort" && SORTS.includes(value)) state.sort = value;
      else if (key === "page" && Number(value) >= 1) state.page = Math.floor(Number(value));
      else if (key !== "all" || value) state.strange.push(`${key}=${value}`);
    }
    return state;
  }

  // Returns the words of a query without typed spans, which become terms: "memory since:2025".
  function readWords(state, words) {
    return words.replace(TYPED_SPAN, (_, key, year) => {
      state.terms = [...state.terms.filter(([one]) => one !== key), [key, year]];
      return " ";
    }).trim();
  }

  function addTerm(state, key, value) {
    if (!state.terms.some(([one, other]) => one === key && other === value)) {
      state.terms.push([key, value]);
    }
  }

  // Returns the query string of a state, "" for all papers; terms are in the order of facts.json.
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

  // Returns the sentence with the most words of the query; among equal ones, a sentence with a number,
  // then the first from the contribution on. Returns `shown`, the contribution, if none is better.
  function bestSentence(engine, { words, readings }, shown, whole) {
    const { formsOf, fold, withPriceWords, spelling } = fieldguide;
    const read = new Map(readings);
    const patterns = words.map((word) => {
      const forms = [...formsOf(word), engine.longForm(word), engine.postings.has(read.get(word)) && read.get(word)];
      return new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.filter(Boolean).map(spelling).join("|")})`, "iu");
    });
    const count = (text) => {
      const number = patterns.filter((pattern) => pattern.test(fold(withPriceWords(text)))).length;
      return number && number + (FIGURE.test(text) ? 0.5 : 0);
    };
    const sentences = new Intl.Segmenter("en", { granularity: "sentence" }).segment(whole);
    const start = whole.indexOf(shown.replace(/ ?…$/, ""));
    return [...sentences].sort((one, other) => (one.index < start) - (other.index < start))
      .map(({ segment }) => segment.trim())
      .reduce((best, one) => (count(one) > count(best) ? one : best), shown);
  }

  Object.assign(fieldguide, { SPANS, makeLibrary, readTerms, readPaper, sortedBy, readQuery, readWords, bestSentence, writeQuery });
})();
