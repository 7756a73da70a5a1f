// Words: how texts are cut into them, how near two are, and which papers hold those of a query.
//
// The index of words is made here, once, from the texts that results show anyway: sending it
// would double what is sent.
"use strict";

(() => {
  // What a word counts where it stands: title, names in the text, authors and text, categories.
  const FIELD_WEIGHTS = [8, 5, 1.5, 0.3];
  const NEAR_WORDS = 3;
  const SEVERAL = 3; // papers
  // Rows in which a distance is computed, kept since there are thousands a query.
  const LONGEST = 64;
  const ROWS = [1, 2, 3].map(() => new Uint8Array(LONGEST));
  const STOP_WORDS = new Set((
    "a al an and any are as at be by can did do does et for from has have how i in is it its of on "
    + "or that the their there this paper papers to versus via vs we what when where which who whose "
    + "why with"
  ).split(" "));
  const COMPOUND = /[\p{L}\p{N}]+(?:[-‐‑–'’.][\p{L}\p{N}]+)*\*?/gu;
  // What is asked for whole: ReAct, SWE-Gym, GPT-4; "react*" asks for what begins so.
  const NAME = /^(?!.*[*\p{Script=Han}]).+[-‐‑–\p{Lu}\p{N}]/u;
  const SHORT = 4;
  // Scripts that write without spaces are searched by the character.
  const PART = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
  const CAPITAL = /^\p{Lu}/u;
  const ASCII_ONLY = /^[\x20-\x7e]*$/;
  const UNFOLDED = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

  // A Greek letter by itself is read by its name: τ-bench is tau-bench.
  const GREEK = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi "
    + "rho ς sigma tau upsilon phi chi psi omega").split(" ");
  const LONE_GREEK = /(?<![α-ω])[α-ω](?![α-ω])/g;

  // Returns a text in small letters without accents: "Łukasz Müller" -> "lukasz muller".
  function fold(text) {
    if (ASCII_ONLY.test(text)) return text.toLowerCase();
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
      .replace(/[ßøæœłđðþı]/g, (letter) => UNFOLDED[letter])
      .replace(LONE_GREEK, (letter) => GREEK[letter.charCodeAt(0) - 945]);
  }

  // A price is found by its sign and by its name: "$0.34" and "$" are "dollars cost 0.34".
  function priced(text) {
    return text.replace(/\$(?=\d|$)/g, " dollars cost ");
  }

  // Returns the words of a query, without those that stand everywhere.
  function queryWords(text) {
    const words = [...new Set(fold(priced(text)).match(PART) || [])];
    const telling = words.filter((word) => !STOP_WORDS.has(word));
    return telling.length ? telling : words;
  }

  // Returns the names in a query, as they are typed.
  function queryNames(text) {
    return (priced(text).match(COMPOUND) || []).filter((compound) => NAME.test(compound));
  }

  // Returns the words of a text and other ways to write them, so that "web arena" and "swebench"
  // find WebArena and SWE-bench.
  function indexedWords(text) {
    const words = new Set();
    for (const compound of priced(text).match(COMPOUND) || []) {
      const parts = fold(compound).match(PART) || [];
      parts.forEach((part) => words.add(part));
      if (parts.length > 1) words.add(parts.join(""));
      const humps = compound.replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$3 $2");
      if (humps !== compound) (fold(humps).match(PART) || []).forEach((part) => words.add(part));
    }
    STOP_WORDS.forEach((word) => words.delete(word));
    return words;
  }

  // Returns forms of a word that it is no beginning of: "actions", "code", "coding", "generalise" ->
  // "action", "coding", "code", "generalize".
  function kin(word) {
    const forms = [[/(?<=..[^s])s$/, ""], [/(?<=...)e$/, "ing"], [/(?<=...)ing$/, "e"],
      [/(?<=...)is(?=e[ds]?$|ing$|ations?$)/, "iz"], [/(?<=...)iz(?=e[ds]?$|ing$|ations?$)/, "is"]];
    return forms.map(([end, other]) => word.replace(end, other)).filter((form) => form !== word);
  }

  // Returns how many letters tell a word from the nearest beginning of another: wrong, missing, too
  // many or swapped ones (optimal string alignment); `most` + 1 where it is more than `most`.
  function distance(word, other, most) {
    const width = Math.min(other.length, word.length + most);
    if (width < word.length - most || width >= LONGEST) return most + 1;
    let [before, above, line] = ROWS;
    for (let column = 0; column <= width; column += 1) above[column] = column;
    let least = 0;
    for (let row = 1; row <= word.length; row += 1) {
      line[0] = row;
      least = row;
      for (let column = 1; column <= width; column += 1) {
        const differs = word[row - 1] === other[column - 1] ? 0 : 1;
        let apart = Math.min(above[column] + 1, line[column - 1] + 1, above[column - 1] + differs);
        const isSwapped = differs && row > 1 && column > 1
          && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
        if (isSwapped) apart = Math.min(apart, before[column - 2] + 1);
        line[column] = apart;
        if (apart < least) least = apart;
      }
      if (least > most) return most + 1;
      [before, above, line] = [above, line, before];
    }
    return least;
  }

  // Returns how many typing errors a word of this length may hold.
  function allowedErrors(word) {
    if (word.length < 4) return 0;
    return word.length < 8 ? 1 : 2;
  }

  // Returns what finds papers: `find(query)`, and `phrased(words)`. `namesOf(paper)` gives names in
  // texts, and categories.
  function makeEngine(index, namesOf) {
    // Word -> papers that hold it; a number is paper * 4 + the best field that it stands in.
    const postings = new Map();
    const wordsOf = remembered(indexedWords);
    const owners = index.code.map(ownersOf);
    const fields = (paper) => {
      const [names, categories] = namesOf(paper);
      const { authors, organisations, texts } = index;
      return [
        [index.titles[paper]], names,
        [authors[paper], organisations[paper], owners[paper], texts[paper]], categories,
      ];
    };
    index.titles.forEach((_, paper) => fields(paper).forEach((texts, field) => {
      texts.forEach((text) => {
        for (const word of field % 2 ? wordsOf(text) : indexedWords(text)) {
          note(postings, word, paper, field);
        }
      });
    }));
    const vocabulary = [...postings.keys()].sort();
    const isMostlyIn = (texts) => {
      const counts = new Map();
      texts.forEach((text) => indexedWords(text).forEach((word) => {
        counts.set(word, (counts.get(word) || 0) + 1);
      }));
      return (word) => counts.has(word) && counts.get(word) * 2 > postings.get(word).length;
    };
    const engine = {
      postings,
      fields,
      ...abbreviating(index.abbreviations || []),
      vocabulary,
      frequency: (word) => postings.get(word).length,
      size: index.titles.length,
      // Words that ask for a page of no paper are none that somebody mistyped.
      named: new Set((index.places || []).flatMap(([name, , , , asking]) => (
        queryWords(`${name} ${asking || ""}`)
      ))),
      sorting: new Set((index.places || []).flatMap(([, , page, , asking]) => (
        page.includes("sort=") ? queryWords(asking) : []
      ))),
      isPerson: isMostlyIn(index.authors),
      isOrganisation: isMostlyIn(index.organisations.map((name, at) => `${name} ${owners[at]}`)),
    };
    return {
      find: (query) => find(engine, index, query),
      phrased: (words) => phrased(engine, index, words),
      shortened: engine.shortened,
      longForm: engine.longForm,
      isCommon: (word) => postings.has(word) && postings.get(word).length * 3 > engine.size,
    };
  }

  // Returns { shortened(query), longForm(word) }: of abbreviations that the texts introduce, one and
  // its long form are asked for alike.
  function abbreviating(pairs) {
    const longs = new Map(pairs.map(([short, long]) => [spelling(short), long]));
    return {
      shortened: (query) => pairs
        .filter(([, long]) => fold(query).includes(long.split(" ")[0]))
        .reduce((text, [short, long]) => text.replace(wholeName([long]), short), query),
      longForm: (word) => longs.get(spelling(word)),
    };
  }

  // "huggingface.co/collections/alibaba-pai/qwen" -> "alibaba-pai"
  function ownersOf(addresses) {
    return addresses.split(" ").map((address) => (
      address.replace(/^[^/]*\/(?:(?:collections|datasets|spaces)\/)?/, "").split("/")[0]
    )).join(" ");
  }

  function remembered(work) {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) known.set(text, work(text));
      return known.get(text);
    };
  }

  function note(postings, word, paper, field) {
    const papers = postings.get(word);
    if (!papers) postings.set(word, [paper * 4 + field]);
    else if (papers[papers.length - 1] >> 2 !== paper) papers.push(paper * 4 + field);
  }

  // Returns { papers, words, held, readings, near, missing, more, affiliated, authored }: positions of papers,
  // the best first; the words of the query and how many of them each paper holds; [typed, read as];
  // words near to those that nothing is like; sentences on names that no paper holds; how many papers
  // more hold what only begins so; of how many an organisation is known, where the query names one,
  // and the authors, where a word with a capital letter stands nowhere.
  function find(engine, index, query) {
    const text = engine.shortened(priced(query));
    const asked = [...new Set(text.match(COMPOUND))];
    const capitals = new Set(fold(asked.filter((word) => CAPITAL.test(word)).join(" ")).match(PART));
    const tally = {
      score: new Float64Array(engine.size),
      held: new Uint8Array(engine.size),
      own: new Uint8Array(engine.size), // words held by more than the name of a category
    };
    const readings = [];
    const near = [];
    const missing = [];
    const names = [];
    let authored = null;
    for (const name of asked.filter((word) => NAME.test(word) || engine.longForm(word))) {
      const long = engine.longForm(name);
      if (long) readings.push([name, `${name} or ${long}`]);
      const whole = holdingWhole(engine, long ? [name, long] : [name]);
      const begun = whole.size || !/^\p{L}+$/u.test(name) ? whole : holdingBegun(engine, name);
      if (begun.size || begun !== whole) names.push(name);
      if (!whole.size) {
        const told = begun === whole ? "parts of it" : begun.size && "a word that begins so";
        missing.push(`No paper names “${name}”${told ? `; these hold ${told}` : ""}.`);
      }
      add(engine, begun, tally);
    }
    const others = queryWords(asked.filter((word) => !names.includes(word)).join(" "))
      .filter((word) => !names.length || !STOP_WORDS.has(word));
    const unsorted = others.filter((word) => !engine.sorting.has(word));
    const rest = names.length || unsorted.length ? unsorted : others;
    for (const word of rest) {
      let matches = matching(engine, word, fold(text).includes(`${word}*`));
      if (!matches.length) {
        if ([word, ...kin(word)].some((form) => engine.named.has(form))) continue;
        const isName = capitals.has(word) && !STOP_WORDS.has(word);
        matches = isName ? [] : misspelt(engine, word);
        if (matches.length) readings.push([word, matches[0][0]]);
        else if (isName) authored = index.authors.filter((names, at) => names && names !== index.organisations[at]).length;
        else near.push(...nearWords(engine, word));
      }
      add(engine, holding(engine, matches), tally);
    }
    const words = [...names, ...rest];
    const most = tally.held.reduce((one, other) => Math.max(one, other), 0);
    const papers = most * 2 >= words.length && most > 0 ? ranked(index, query, tally) : [];
    const affiliated = words.some((word) => engine.isOrganisation(fold(word)))
      ? index.organisations.filter(Boolean).length : null;
    const isShort = query.length <= SHORT || NAME.test(query);
    const more = isShort && /^[\p{L}\p{N}]+$/u.test(query)
      ? find(engine, index, `${query}*`).papers.length - papers.length : 0;
    return {
      papers, words, held: most, readings, near: [...new Set(near)], missing, more, affiliated, authored,
    };
  }

  // Returns [word, quality] of the words that one of a query finds: itself and its plural where it
  // is short; others by their beginning or another form.
  function matching(engine, word, isBeginning) {
    const forms = kin(word).filter((form) => engine.postings.has(form)).map((form) => [form, 0.5]);
    if (isBeginning || word.length > SHORT || !engine.postings.has(word)) {
      return [...beginningWith(engine, word), ...forms];
    }
    return [word, `${word}s`].filter((form) => engine.postings.has(form)).map((form) => [form, 1]);
  }

  // Returns paper -> [worth, whether more than a category says it] of those that hold a name, or
  // another form of it. Where some write it as a name, others mean something else: react, ReAct.
  function holdingWhole(engine, forms) {
    const pattern = wholeName(forms);
    const isCapital = /^[a-z]+$/i.test(forms[0]) && /.[A-Z]/.test(forms[0]);
    const begun = forms.flatMap((form) => beginningWith(engine, spelling(form).match(PART)[0]));
    const papers = new Map();
    let best = 1;
    for (const paper of holding(engine, begun).keys()) {
      engine.fields(paper).forEach((texts, field) => texts.forEach((text) => {
        const found = (isCapital ? text : fold(text)).match(pattern);
        if (!found) return;
        const rank = isCapital && found.some((name) => /.\P{Ll}/u.test(name)) ? 2 : 1;
        if (rank > best) papers.clear();
        best = Math.max(rank, best);
        if (rank === best && !papers.has(paper)) papers.set(paper, [FIELD_WEIGHTS[field], field < 3]);
      }));
    }
    return papers;
  }

  // Returns the same of papers with a word that begins as a name is typed: "WebAr" is WebArena, and
  // "DOM" is no domain.
  function holdingBegun(engine, name) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${name}`, "u");
    const papers = new Map();
    for (const paper of holding(engine, beginningWith(engine, fold(name))).keys()) {
      const field = engine.fields(paper).findIndex((texts) => texts.some((text) => pattern.test(text)));
      if (field >= 0) papers.set(paper, [FIELD_WEIGHTS[field], field < 3]);
    }
    return papers;
  }

  // Returns what matches a name, or other forms of it, as whole words.
  function wholeName(forms) {
    const any = forms.map(spelling).join("|");
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})s?(?![\\p{L}\\p{N}]|\\.\\p{N})`, "giu");
  }

  // "SWE-bench" -> what matches "swe bench" and "swebench", too; of "LLMs" what matches "llm".
  function spelling(name) {
    return fold(name.replace(/(?<=[^s])s$/, "")).replace(/[^\p{L}\p{N}]+/gu, (sign) => (
      sign === "." ? "\\." : "[^\\p{L}\\p{N}]*"
    ));
  }

  // Returns [word, quality] of all words that begin with one: 1 for the word itself; where there
  // is such a word, its mere beginnings count little: "react" is not "reactive".
  function beginningWith(engine, word) {
    const share = engine.postings.has(word) ? 0.2 : 1;
    return engine.vocabulary.filter((other) => other.startsWith(word)).map((other) => (
      [other, other === word ? 1 : share * (0.5 + 0.4 * (word.length / other.length))]
    ));
  }

  // Returns [word, quality] of the words that one may be a misspelling of, the likeliest first: few
  // err by two letters of length, and what is nearest to a person's name is another person's. It is
  // near as a whole: "html" is no hamlet.
  function misspelt(engine, word) {
    const most = allowedErrors(word);
    const near = within(engine, word, most).filter(([other]) => (
      Math.abs(other.length - word.length) < 2 && distance(other, word, most) <= most
    ));
    const isName = near.some(([other, apart]) => apart === near[0][1] && engine.isPerson(other));
    return isName ? [] : near.map(([other, apart]) => [other, 0.4 / apart]);
  }

  // Returns words that one may have been meant for; a short one is like too many.
  function nearWords(engine, word) {
    if (word.length < 6) return [];
    return within(engine, word, word.length < 9 ? 1 : 2).map(([near]) => near)
      .filter((near) => near.startsWith(word.slice(0, 3))).slice(0, NEAR_WORDS);
  }

  // Returns [word, distance] of those that begin alike, since few err in the first letter: the
  // nearest first, then of like length, then those in most papers.
  function within(engine, word, most) {
    return (most ? engine.vocabulary : [])
      .filter((other) => other[0] === word[0] && other.length > 1)
      .map((other) => [other, distance(word, other, most)])
      .filter(([, apart]) => apart <= most)
      .sort(([one, near], [other, far]) => near - far
        || Math.abs(one.length - word.length) - Math.abs(other.length - word.length)
        || engine.frequency(other) - engine.frequency(one)
        || (one < other ? -1 : 1));
  }

  // Returns paper -> [worth, whether more than a category says it] of those that hold a word.
  function holding(engine, matches) {
    const papers = new Map();
    for (const [word, quality] of matches) {
      for (const place of engine.postings.get(word)) {
        const [before, isSaid] = papers.get(place >> 2) || [0, false];
        const worth = Math.max(before, quality * FIELD_WEIGHTS[place & 3]);
        papers.set(place >> 2, [worth, isSaid || (place & 3) < 3]);
      }
    }
    return papers;
  }

  // Adds what a word of the query is worth in each paper; a rare one is worth more.
  function add(engine, papers, { score, held, own }) {
    const rarity = Math.log(1 + engine.size / (papers.size || 1)) ** 2;
    for (const [paper, [worth, isSaid]] of papers) {
      score[paper] += worth * rarity;
      held[paper] += 1;
      own[paper] += isSaid;
    }
  }

  // Returns what matches each two words of a text that stand side by side, in the plural, too.
  function pairsIn(text) {
    const words = fold(priced(text)).match(PART) || [];
    return words.slice(1).map((word, at) => [words[at], word])
      .filter((pair) => !pair.some((word) => STOP_WORDS.has(word)))
      .map((pair) => wholeName([pair.join(" ")]));
  }

  // Returns the papers that hold the most words: first those in which most of these stand side by
  // side as in the query; ties stay in the order of the index. Those that hold them in the names of
  // their categories alone are left out where others say them; so are those without what stands in
  // quotation marks.
  function ranked(index, query, { score, held, own }) {
    const quoted = [...query.matchAll(/["“”]([^"“”]+)["“”]/g)].map(([, words]) => wholeName([words]));
    const holds = (paper, words) => [index.titles, index.texts].some((texts) => (
      fold(texts[paper]).search(words) >= 0
    ));
    const most = Math.max(...held);
    const isSaid = held.some((count, paper) => count === most && own[paper]);
    const papers = index.titles.map((_, paper) => paper).filter((paper) => (
      held[paper] === most && (own[paper] || !isSaid) && quoted.every((words) => holds(paper, words))
    ));
    const pairs = pairsIn(query);
    const beside = new Map(papers.map((paper) => (
      [paper, pairs.filter((words) => holds(paper, words)).length]
    )));
    return papers.sort((one, other) => (
      beside.get(other) - beside.get(one) || score[other] - score[one] || one - other
    ));
  }

  // Returns words in quotation marks if whoever asks for them means them as they stand: in several
  // papers, or most that have them, they stand side by side.
  function phrased(engine, index, words) {
    const phrase = `"${words}"`;
    const number = pairsIn(words).length && find(engine, index, phrase).papers.length;
    const isMeant = number >= SEVERAL || (number && number * 2 >= find(engine, index, words).papers.length);
    return isMeant ? phrase : words;
  }

  Object.assign(fieldguide, {
    fold, queryWords, queryNames, indexedWords, kin, distance, makeEngine,
  });
})();
