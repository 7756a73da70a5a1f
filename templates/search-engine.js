// The search engine: words and their forms, prefixes, typing errors, and the ranking of papers.
//
// The index of words is built here, once, from the texts that the results show. Sending the index too
// would double the download.
"use strict";

(() => {
  const STOP_WORDS = new Set((
    "a about al all an and any are as at be by can did do does et for from has have how i in is it "
    + "its many most not of on or s that the their there this paper papers to versus via vs was we were "
    + "what when where which who whose why with"
  ).split(" "));
  // "WebArena best" asks for all levels on WebArena, and few texts call their own level the best.
  const RANKS = new Set(["best", "highest", "top"]);
  const COMPOUND = /[\p{L}\p{N}]+(?:[-‐‑–'’.][\p{L}\p{N}]+)*\*?/gu;
  // Names are searched as a whole: ReAct, SWE-Gym, GPT-4. "react*" searches for words with this beginning.
  const NAME = /^(?!.*[*\p{Script=Han}]).+[-‐‑–\p{Lu}\p{N}]/u;
  const CAMEL_CASE = /\p{Ll}\p{Lu}/u; // ReAct is not "react", LoCoMo not "locomotion"
  const CAPITAL = /^\p{Lu}/u;
  // Scripts without spaces are searched character by character.
  const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
  const MAX_SHORT_WORD = 4; // letters
  const MAX_NEAR_WORDS = 3;
  const MIN_PAPERS = 3; // With fewer papers, a word is also searched by its stem.
  // Weight of a word by its place: title; names in the text; authors and text; categories.
  const FIELD_WEIGHTS = [8, 5, 1.5, 0.3];
  const CATEGORIES = 3;

  const ASCII_ONLY = /^[\x20-\x7e]*$/;
  const UNFOLDED = { ß: "ss", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };
  // A single Greek letter is replaced by its name: τ-bench becomes tau-bench.
  const GREEK = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi "
    + "rho ς sigma tau upsilon phi chi psi omega").split(" ");
  const SINGLE_GREEK = /(?<![α-ω])[α-ω](?![α-ω])/g;

  // Returns a text in lower case without accents: "Łukasz Müller" -> "lukasz muller".
  function fold(text) {
    if (ASCII_ONLY.test(text)) return text.toLowerCase();
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
      .replace(/[ßøæœłđðþı]/g, (letter) => UNFOLDED[letter])
      .replace(SINGLE_GREEK, (letter) => GREEK[letter.charCodeAt(0) - 945]);
  }

  // A price is found by its sign and its name: "$0.34" and "$" are "dollars cost 0.34".
  function withPriceWords(text) {
    return text.replace(/\$(?=\d|$)/g, " dollars cost ");
  }

  // Returns the words of a query, without stop words if there are others.
  function queryWords(text) {
    const words = [...new Set(fold(withPriceWords(text)).match(WORD) || [])];
    const content = words.filter((word) => !STOP_WORDS.has(word));
    return content.length ? content : words;
  }

  // Returns the words of a text and of its names in other spellings, so that "web arena" and
  // "swebench" find WebArena and SWE-bench.
  function indexedWords(text) {
    const words = new Set();
    for (const compound of withPriceWords(text).match(COMPOUND) || []) {
      const parts = fold(compound).match(WORD) || [];
      const humps = compound.replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$3 $2");
      [...parts, parts.join(""), ...(fold(humps).match(WORD) || [])].forEach((word) => words.add(word));
    }
    ["", ...STOP_WORDS].forEach((word) => words.delete(word));
    return words;
  }

  const ENDINGS = [
    [/(?<=..)ies$/, "y"], [/(?<=..)y$/, "ies"], [/(?<=..[^s])s$/, ""], [/(?<=...)e$/, "ing"], [/(?<=...)ing$/, "e"],
    [/(?<=...)is(?=e[ds]?$|ing$|ations?$)/, "iz"], [/(?<=...)iz(?=e[ds]?$|ing$|ations?$)/, "is"],
  ];

  // Returns a word and its other forms: "abilities", "ability"; "code", "coding"; "generalise",
  // "generalize".
  const formsOf = memoized((word) => [
    word, ...ENDINGS.map(([end, other]) => word.replace(end, other)).filter((form) => form !== word),
  ]);

  // "correction", "stored" -> "correct", "store"
  const stem = memoized((word) => word.replace(/(?<=.{5})(?:ions?|ics?|ing|ed|es|s)$|(?<=.{4}e)d$/, ""));

  function memoized(compute) {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) known.set(text, compute(text));
      return known.get(text);
    };
  }

  // Returns a pattern of a name in any spelling: "SWE-bench" also matches "swe bench", "swebench".
  function spelling(name) {
    return fold(name.replace(/(?<=[^s])s$/, "")).replace(/[^\p{L}\p{N}]+/gu, (sign) => (
      sign === "." ? "\\." : "[^\\p{L}\\p{N}]*"
    ));
  }

  // Returns a pattern of one of some names, as whole words.
  function wholeName(names) {
    const any = names.map(spelling).join("|");
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})s?(?![\\p{L}\\p{N}]|\\.\\p{N})`, "giu");
  }

  // Returns the pairs of neighbouring words of a text: [words, pattern].
  function pairsIn(text) {
    const words = fold(withPriceWords(text)).match(WORD) || [];
    return words.slice(1).map((word, at) => [words[at], word])
      .filter((pair) => !pair.some((word) => STOP_WORDS.has(word)))
      .map((pair) => [pair, wholeName([pair.join(" ")])]);
  }

  // Returns the number of typing errors between a word and the nearest beginning of another: wrong,
  // missing, added or swapped letters (optimal string alignment); `max` + 1 if it is more than `max`.
  function distance(word, other, max) {
    const width = Math.min(other.length, word.length + max);
    if (width < word.length - max) return max + 1;
    let [before, above] = [[], Array.from({ length: width + 1 }, (_, column) => column)];
    for (let row = 1; row <= word.length; row += 1) {
      const line = [row];
      for (let column = 1; column <= width; column += 1) {
        const isSame = word[row - 1] === other[column - 1];
        line[column] = Math.min(above[column] + 1, line[column - 1] + 1, above[column - 1] + !isSame);
        const isSwapped = !isSame && row > 1 && column > 1
          && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
        if (isSwapped) line[column] = Math.min(line[column], before[column - 2] + 1);
      }
      if (Math.min(...line) > max) return max + 1;
      [before, above] = [above, line];
    }
    return Math.min(...above);
  }

  // Returns the engine of an index. `namesOf(paper)` returns the names in its text, and its categories.
  function makeEngine(index, namesOf) {
    const owners = index.code.map(ownersOf);
    const fields = (paper) => {
      const [names, categories] = namesOf(paper);
      const { authors, organisations, texts } = index;
      return [
        [index.titles[paper]], names,
        [authors[paper], organisations[paper], owners[paper], texts[paper]], categories,
      ];
    };
    // Word -> papers that contain it, as paper * 4 + its best field.
    const postings = new Map();
    const wordsOf = memoized(indexedWords); // Names recur, texts do not.
    index.titles.forEach((_, paper) => fields(paper).forEach((texts, field) => {
      texts.forEach((text) => {
        for (const word of field % 2 ? wordsOf(text) : indexedWords(text)) {
          if (!postings.has(word)) postings.set(word, []);
          const papers = postings.get(word);
          if (!papers.length || papers.at(-1) >> 2 !== paper) papers.push(paper * 4 + field);
        }
      });
    }));
    const frequency = (word) => (postings.get(word) || []).length;
    // Returns a test whether most papers with a word have it in some texts, such as the authors.
    const isMostlyIn = (texts) => {
      const counts = new Map();
      texts.forEach((text) => indexedWords(text).forEach((word) => {
        counts.set(word, (counts.get(word) || 0) + 1);
      }));
      return (word) => counts.get(word) * 2 > frequency(word);
    };
    const places = index.places || [];
    const isList = ([, kind, page]) => (
      kind === "open problem" || kind === "papers to read first" || page.includes("sort=")
    );
    const abbreviations = index.abbreviations || [];
    const longForms = new Map(abbreviations.map(([short, long]) => [spelling(short), long]));
    const patterns = abbreviations.map(([short, long]) => [short, long.split(" ")[0], wholeName([long])]);
    const engine = {
      index,
      postings,
      fields,
      frequency,
      vocabulary: [...postings.keys()].sort(),
      size: index.titles.length,
      isCommon: (word) => frequency(word) * 3 > engine.size,
      isPerson: isMostlyIn(index.authors),
      isOrganisation: isMostlyIn(index.organisations.map((name, at) => `${name} ${owners[at]}`)),
      // Words that lead to other pages are not misspelt, and words that ask for a list are not searched.
      named: new Set(places.flatMap(([name, , , , asking = ""]) => queryWords(`${name} ${asking}`))),
      asking: new Set(places.filter(isList).flatMap(([, , , , asking]) => fieldguide.askingWords(asking))),
      // An abbreviation that the texts introduce and its long form are the same.
      longForm: (word) => longForms.get(spelling(word)),
      shortened: (text) => {
        const folded = fold(text);
        return patterns.filter(([, first]) => folded.includes(first))
          .reduce((now, [short, , long]) => now.replace(long, short), text);
      },
      find: (query) => find(engine, query),
    };
    return engine;
  }

  // "huggingface.co/collections/alibaba-pai/qwen" -> "alibaba-pai"
  function ownersOf(addresses) {
    return addresses.split(" ").map((address) => (
      address.replace(/^[^/]*\/(?:(?:collections|datasets|spaces)\/)?/, "").split("/")[0]
    )).join(" ");
  }

  // Returns the result of a query:
  //
  // papers      their positions, the best first
  // words, nMatched  the words and names of the query, and the number of them in each paper
  // readings    [typed, read as]
  // absent      words that no paper contains
  // similar     similar words, where nothing was found for a word
  // missing     sentences about names that no paper contains
  // more        number of further papers with a word that begins like the query
  // affiliated  number of papers with a known organisation, if the query names one, else null
  // authored    number of papers with known authors, if a capitalised word is unknown, else null
  function find(engine, query) {
    const text = engine.shortened(withPriceWords(query));
    const parts = [...new Set(text.match(COMPOUND))];
    const result = { readings: [], absent: [], similar: [], missing: [], authored: null };
    const scores = engine.index.titles.map(() => ({ score: 0, nMatched: 0, isSaid: false }));
    const names = parts.filter((word) => NAME.test(word) || engine.longForm(word))
      .filter((name) => findName(engine, name, scores, result));
    const words = queryWords(parts.filter((word) => !names.includes(word)).join(" "))
      .filter((word) => !names.length || !(STOP_WORDS.has(word) || RANKS.has(word)));
    const all = queryWords(text);
    const searched = words.filter((word) => !fieldguide.asksAt(all, all.indexOf(word), engine.asking));
    const rest = names.length || searched.length ? searched : words;
    const capitals = queryWords(parts.filter((word) => CAPITAL.test(word)).join(" "));
    rest.forEach((word) => findWord(engine, scores, result, {
      word,
      isBeginning: fold(text).includes(`${word}*`),
      isName: capitals.includes(word) && !STOP_WORDS.has(word),
    }));
    const nMatched = scores.reduce((max, one) => Math.max(max, one.nMatched), 0);
    const isFound = nMatched > 0 && nMatched * 2 >= names.length + rest.length;
    const papers = isFound ? ranked(engine.index, query, scores, nMatched) : [];
    const isBeginning = (query.length <= MAX_SHORT_WORD || NAME.test(query))
      && !CAMEL_CASE.test(query) && /^[\p{L}\p{N}]+$/u.test(query);
    return {
      ...result,
      readings: result.readings.filter(([word]) => fold(query).search(wholeName([word])) >= 0),
      papers,
      words: [...names, ...rest],
      nMatched,
      more: isBeginning ? find(engine, `${query}*`).papers.length - papers.length : 0,
      affiliated: [...names, ...rest].some((word) => engine.isOrganisation(fold(word)))
        ? engine.index.organisations.filter(Boolean).length : null,
    };
  }

  // Adds the papers with a name. Returns false if the words of the name must be searched one by one.
  function findName(engine, name, scores, { readings, missing }) {
    const long = engine.longForm(name);
    if (long) readings.push([name, `${name} or ${long}`]);
    const isWord = /^\p{L}+$/u.test(name);
    const whole = papersWithName(engine, long ? [name, long] : [name]);
    const papers = whole.size || !isWord ? whole : papersWithPrefix(engine, name);
    if (!whole.size && /[\p{Lu}\p{N}]/u.test(name)) {
      const found = isWord ? papers.size && "a word that begins like it" : "parts of it";
      missing.push(`No paper names “${name}”${found ? `; these have ${found}` : ""}.`);
    }
    add(engine, papers, scores);
    return papers.size || isWord;
  }

  // Returns the papers with a name in any form, as bestOf does. If some write it as a name, others
  // mean something else: ReAct, react.
  function papersWithName(engine, names) {
    const pattern = wholeName(names);
    const hasCapital = /^[a-z]+$/i.test(names[0]) && /.[A-Z]/.test(names[0]);
    const isCamelCase = CAMEL_CASE.test(names[0]);
    const begun = names.flatMap((name) => wordsWithPrefix(engine, spelling(name).match(WORD)[0]));
    const found = [];
    papersWith(engine, begun).forEach((_, paper) => engine.fields(paper).forEach((texts, field) => {
      const matches = texts.flatMap((text) => (hasCapital ? text : fold(text)).match(pattern) || []);
      if (!matches.length || (isCamelCase && !matches.some((name) => /\p{Lu}/u.test(name)))) return;
      const isName = hasCapital && matches.some((name) => /.\P{Ll}/u.test(name));
      found.push({ paper, field, isName });
    }));
    const hasNames = found.some(({ isName }) => isName);
    return bestOf(found.filter(({ isName }) => isName || !hasNames));
  }

  // Returns the same of the papers with a word that begins like a name, in the same case: "WebAr" finds
  // WebArena, "DOM" not "domain".
  function papersWithPrefix(engine, name) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${name}`, "u");
    const candidates = [...papersWith(engine, wordsWithPrefix(engine, fold(name))).keys()];
    return bestOf(candidates.flatMap((paper) => engine.fields(paper).flatMap((texts, field) => (
      texts.some((text) => pattern.test(text)) ? [{ paper, field }] : []
    ))));
  }

  // Returns paper -> { weight, isSaid }: isSaid if not only a category contains the word.
  function bestOf(matches) {
    const papers = new Map();
    for (const { paper, field, quality = 1 } of matches) {
      const { weight = 0, isSaid = false } = papers.get(paper) || {};
      papers.set(paper, {
        weight: Math.max(weight, quality * FIELD_WEIGHTS[field]), isSaid: isSaid || field < CATEGORIES,
      });
    }
    return papers;
  }

  function papersWith(engine, matches) {
    return bestOf(matches.flatMap(([word, quality]) => engine.postings.get(word).map((place) => (
      { paper: place >> 2, field: place & 3, quality }
    ))));
  }

  // Adds the papers with a word, with its stem if they are few, or with the word that it misspells.
  function findWord(engine, scores, result, { word, isBeginning, isName }) {
    let matches = matching(engine, word, isBeginning);
    if (stem(word) !== word && papersWith(engine, matches).size < MIN_PAPERS) {
      matches = [...matches, ...wordsWithPrefix(engine, stem(word)).map(([other]) => [other, 0.5])];
    }
    if (!matches.length) {
      if (formsOf(word).some((form) => engine.named.has(form))) return;
      // The most similar word replaces an unknown word, unless it is a name or similar to a person's name.
      const near = isName || word.length < 4 ? [] : within(engine, word, 1);
      const meant = near.filter((other) => distance(other, word, 1) < 2);
      if (!meant.some(engine.isPerson)) matches = meant.map((other) => [other, 0.4]);
      if (matches.length) result.readings.push([word, matches[0][0]]);
      else result.absent.push(word);
      if (isName) result.authored = engine.index.authors.filter(Boolean).length;
      else if (!matches.length) result.similar.push(...similarWords(engine, word));
    }
    add(engine, papersWith(engine, matches), scores);
  }

  // Returns [word, quality] of the words that match a word: a short word matches only itself and its
  // plural.
  function matching(engine, word, isBeginning) {
    const known = (forms, quality) => forms.filter(engine.frequency).map((form) => [form, quality]);
    if (!isBeginning && word.length <= MAX_SHORT_WORD && engine.frequency(word)) return known([word, `${word}s`], 1);
    return [...wordsWithPrefix(engine, word), ...known(formsOf(word).slice(1), 0.5)];
  }

  // Returns [word, quality] of all words that begin with a text. The quality is low if the text is a word
  // itself: "react" is not "reactive".
  function wordsWithPrefix(engine, word) {
    const share = engine.postings.has(word) ? 0.2 : 1;
    return engine.vocabulary.filter((other) => other.startsWith(word)).map((other) => (
      [other, other === word ? 1 : share * (0.5 + 0.4 * (word.length / other.length))]
    ));
  }

  // Returns words that the reader may have meant; short words are similar to too many others.
  function similarWords(engine, word) {
    if (word.length < 6) return [];
    return within(engine, word, word.length < 9 ? 1 : 2).filter((other) => other.startsWith(word.slice(0, 3))).slice(0, MAX_NEAR_WORDS);
  }

  // Returns the words up to a distance with the same first letter: the nearest first, then those of
  // similar length, then those of most papers.
  function within(engine, word, max) {
    return engine.vocabulary
      .filter((other) => other[0] === word[0] && other.length > 1)
      .map((other) => [other, distance(word, other, max)])
      .filter(([, apart]) => apart <= max)
      .sort(([one, near], [other, far]) => near - far
        || Math.abs(one.length - word.length) - Math.abs(other.length - word.length)
        || engine.frequency(other) - engine.frequency(one)
        || (one < other ? -1 : 1))
      .map(([other]) => other);
  }

  // Adds the weight of a word or name to its papers; a rare one weighs more.
  function add(engine, papers, scores) {
    const rarity = Math.log(1 + engine.size / (papers.size || 1)) ** 2;
    for (const [paper, { weight, isSaid }] of papers) {
      scores[paper].score += weight * rarity;
      scores[paper].nMatched += 1;
      scores[paper].isSaid ||= isSaid;
    }
  }

  // Returns the papers with the most words, those first in which most pairs of them are neighbours as
  // in the query, or a single word is whole ("Voyager" before WebVoyager). Papers that contain them only
  // in the names of categories, or lack a phrase in quotation marks, are left out.
  function ranked(index, query, scores, nMatched) {
    const quoted = [...query.matchAll(/["“”]([^"“”]+)["“”]/g)].map(([, words]) => wholeName([words]));
    const contains = (paper, pattern) => [index.titles, index.texts].some((texts) => (
      fold(texts[paper]).search(pattern) >= 0
    ));
    const isSaid = scores.some((one) => one.nMatched === nMatched && one.isSaid);
    const pairs = pairsIn(query).map(([, pattern]) => pattern);
    const patterns = pairs.length ? pairs : [wholeName([query.trim()])];
    return scores.map((one, paper) => ({ ...one, paper }))
      .filter(({ paper, ...one }) => one.nMatched === nMatched && (one.isSaid || !isSaid)
        && quoted.every((pattern) => contains(paper, pattern)))
      .map((one) => (
        { ...one, beside: patterns.filter((pattern) => contains(one.paper, pattern)).length }
      ))
      .sort((one, other) => other.beside - one.beside || other.score - one.score || one.paper - other.paper)
      .map(({ paper }) => paper);
  }

  Object.assign(fieldguide, {
    COMPOUND, NAME,
    distance, fold, formsOf, indexedWords, makeEngine, pairsIn, withPriceWords, queryWords, spelling, stem,
  });
})();
