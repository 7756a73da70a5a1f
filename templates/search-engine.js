// The engine: which papers hold the words of a query, the best first.
//
// The index of words is made here, once, from the texts that results show anyway: sending it
// would double what is sent.
"use strict";

(() => {
  const {
    COMPOUND, NAME, PART, STOP_WORDS,
    askingWords, asksAt, beginning, distance, fold, indexedWords, kin, priced, queryWords, remembered,
    spelling, stem, wholeName,
  } = fieldguide;
  // What a word counts where it stands: title, names in the text, authors and text, categories.
  const FIELD_WEIGHTS = [8, 5, 1.5, 0.3];
  const NEAR_WORDS = 3;
  const SEVERAL = 3; // papers
  const SHORT = 4;
  // Words that ask for these, or for an order, ask for no word of a paper: "where to start".
  const ASKED = new Set(["open problem", "papers to read first"]);
  const CAPITAL = /^\p{Lu}/u;
  const COINED = /\p{Ll}\p{Lu}/u; // a name that is not a word: ReAct is not "react", LoCoMo not "locomotion"
  // What stands before the name of what a paper introduces.
  const INTRODUCES = "(?:along with|introduc|present|propos|releas|contribut|buil[dt]|develop)\\w*"
    + "(?:\\W+(?!(?:against|beyond|for|from|of|on|over|than|to|using|with)\\b)[\\w-]+){0,6}\\W*";

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
      asking: new Set((index.places || []).flatMap(([, kind, page, , asking]) => (
        ASKED.has(kind) || page.includes("sort=") ? askingWords(asking) : []
      ))),
      authored: index.authors.filter(Boolean).length,
      isPerson: isMostlyIn(index.authors),
      isOrganisation: isMostlyIn(index.organisations.map((name, at) => `${name} ${owners[at]}`)),
    };
    const isCommon = (word) => (postings.get(word) || []).length * 3 > engine.size;
    return {
      find: (query) => find(engine, index, query),
      phrased: (words) => phrased(engine, index, words),
      saying: (found, shown, whole) => saying(engine, found, shown, whole),
      shortened: engine.shortened,
      longForm: engine.longForm,
      spelledOut: (text) => text.replace(COMPOUND, (word) => (
        (!isCommon(spelling(word)) && engine.longForm(word)) || word
      )),
      size: engine.size,
      frequency: (word) => (postings.get(word) || []).length,
      isCommon,
    };
  }

  // "53.6 %", "4.5×", "12 points"
  const FIGURE = /\d\s?(?:%|×|points?\b|times\b)/;

  // Returns the sentence of a text that holds the most words of what was found, of several one with
  // a figure; `shown` where none is better than that.
  function saying(engine, { words, readings }, shown, whole) {
    const read = new Map(readings);
    const patterns = words.map((word) => {
      const forms = [engine.longForm(word), engine.postings.has(read.get(word)) && read.get(word)];
      return beginning([word, ...kin(word), ...forms.filter(Boolean)]);
    });
    const held = (text) => {
      const count = patterns.filter((pattern) => pattern.test(fold(priced(text)))).length;
      return count && count + (FIGURE.test(text) ? 0.5 : 0);
    };
    const sentences = new Intl.Segmenter("en", { granularity: "sentence" }).segment(whole);
    return [...sentences].map(({ segment }) => segment.trim())
      .reduce((best, one) => (held(one) > held(best) ? one : best), shown);
  }

  // Returns { shortened(query), longForm(word) }: of abbreviations that the texts introduce, one and
  // its long form are asked for alike.
  function abbreviating(pairs) {
    const longs = new Map(pairs.map(([short, long]) => [spelling(short), long]));
    const written = pairs.map(([short, long]) => [short, long.split(" ")[0], wholeName([long])]);
    return {
      shortened: (query) => {
        const folded = fold(query);
        return written.filter(([, first]) => folded.includes(first))
          .reduce((text, [short, , whole]) => text.replace(whole, short), query);
      },
      longForm: (word) => longs.get(spelling(word)),
    };
  }

  // "huggingface.co/collections/alibaba-pai/qwen" -> "alibaba-pai"
  function ownersOf(addresses) {
    return addresses.split(" ").map((address) => (
      address.replace(/^[^/]*\/(?:(?:collections|datasets|spaces)\/)?/, "").split("/")[0]
    )).join(" ");
  }

  function note(postings, word, paper, field) {
    const papers = postings.get(word);
    if (!papers) postings.set(word, [paper * 4 + field]);
    else if (papers[papers.length - 1] >> 2 !== paper) papers.push(paper * 4 + field);
  }

  // Returns what a query finds:
  //
  // papers      their positions, the best first
  // words, held  the words and names of the query, and how many of them each paper holds
  // readings    [typed, read as]
  // absent      words that no paper holds
  // near        words near to those that nothing is like
  // missing     sentences on names that no paper holds
  // told        sentences on names that papers hold
  // more        how many papers more hold what only begins so
  // affiliated  of how many an organisation is known, where the query names one, else null
  // authored    of how many authors are, where a word with a capital letter stands nowhere
  function find(engine, index, query) {
    const text = engine.shortened(priced(query));
    const asked = [...new Set(text.match(COMPOUND))];
    const answer = { readings: [], absent: [], near: [], missing: [], told: [], authored: null };
    const tally = {
      score: new Float64Array(engine.size),
      held: new Uint8Array(engine.size),
      own: new Uint8Array(engine.size), // words held by more than the name of a category
    };
    const names = asked.filter((word) => NAME.test(word) || engine.longForm(word))
      .filter((name) => findName(engine, name, tally, answer));
    const others = queryWords(asked.filter((word) => !names.includes(word)).join(" "))
      .filter((word) => !names.length || !STOP_WORDS.has(word));
    const all = queryWords(text);
    const expected = others.filter((word) => !asksAt(all, all.indexOf(word), engine.asking));
    const rest = names.length || expected.length ? expected : others;
    const capitals = fold(asked.filter((word) => CAPITAL.test(word)).join(" ")).match(PART) || [];
    rest.forEach((word) => findWord(engine, tally, answer, {
      word,
      isBeginning: fold(text).includes(`${word}*`),
      isName: capitals.includes(word) && !STOP_WORDS.has(word),
    }));
    const words = [...names, ...rest];
    const most = tally.held.reduce((one, other) => Math.max(one, other), 0);
    const papers = most * 2 >= words.length && most > 0 ? ranked(index, query, tally) : [];
    return {
      ...answer,
      readings: answer.readings.filter(([word]) => fold(query).search(wholeName([word])) >= 0),
      papers,
      words,
      held: most,
      more: (query.length <= SHORT || NAME.test(query)) && !COINED.test(query)
        && /^[\p{L}\p{N}]+$/u.test(query)
        ? find(engine, index, `${query}*`).papers.length - papers.length : 0,
      affiliated: words.some((word) => engine.isOrganisation(fold(word)))
        ? index.organisations.filter(Boolean).length : null,
    };
  }

  // Adds the papers that hold a name, or a word that begins so; says whether it is one, or else
  // words to be found one by one.
  function findName(engine, name, tally, { readings, missing, told: sentences }) {
    const long = engine.longForm(name);
    if (long) readings.push([name, `${name} or ${long}`]);
    const whole = holdingWhole(engine, long ? [name, long] : [name]);
    const isWord = /^\p{L}+$/u.test(name);
    const papers = whole.size || !isWord ? whole : holdingBegun(engine, name);
    if (!whole.size && /[\p{Lu}\p{N}]/u.test(name)) {
      const told = isWord ? papers.size && "a word that begins so" : "parts of it";
      missing.push(`No paper names “${name}”${told ? `; these hold ${told}` : ""}.`);
    }
    if (isOfNobody(engine, name, whole)) {
      sentences.push(`${name} is not in this sample; ${whole.size} ${whole.size === 1 ? "paper names" : "papers name"} it.`);
    }
    add(engine, papers, tally);
    return papers.size || isWord;
  }

  // Says whether a name that is known, or looks like one (ReAct), is that of no paper which holds it.
  function isOfNobody(engine, name, papers) {
    const whole = wholeName([name]);
    const own = new RegExp(`${INTRODUCES}${whole.source}(?!-(?:based|like|style))`, "iu");
    const fields = [...papers.keys()].map(engine.fields);
    const isKnown = ([, names]) => names.some((one) => spelling(one) === spelling(name));
    return fields.length > 0 && (COINED.test(name) || fields.some(isKnown))
      && fields.every(([[title], , texts]) => (
        fold(title).search(whole) < 0 && texts.every((text) => fold(text).search(own) < 0)
      ));
  }

  // Adds the papers that hold a word, what begins with its stem where few do, or what it may be a
  // misspelling of.
  function findWord(engine, tally, answer, { word, isBeginning, isName }) {
    let matches = matching(engine, word, isBeginning);
    if (stem(word) !== word && holding(engine, matches).size < SEVERAL) {
      matches = [...matches, ...beginningWith(engine, stem(word)).map(([other]) => [other, 0.5])];
    }
    if (!matches.length) {
      if ([word, ...kin(word)].some((form) => engine.named.has(form))) return;
      matches = isName ? [] : misspelt(engine, word);
      if (matches.length) answer.readings.push([word, matches[0][0]]);
      else answer.absent.push(word);
      if (isName) answer.authored = engine.authored;
      else if (!matches.length) answer.near.push(...nearWords(engine, word));
    }
    add(engine, holding(engine, matches), tally);
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
    const isCoined = COINED.test(forms[0]);
    const begun = forms.flatMap((form) => beginningWith(engine, spelling(form).match(PART)[0]));
    const papers = new Map();
    let best = 1;
    for (const paper of holding(engine, begun).keys()) {
      engine.fields(paper).forEach((texts, field) => texts.forEach((text) => {
        const found = (isCapital ? text : fold(text)).match(pattern);
        if (!found || (isCoined && !found.some((name) => /\p{Lu}/u.test(name)))) return;
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

  // Returns [word, quality] of all words that begin with one: 1 for the word itself; where there
  // is such a word, its mere beginnings count little: "react" is not "reactive".
  function beginningWith(engine, word) {
    const share = engine.postings.has(word) ? 0.2 : 1;
    return engine.vocabulary.filter((other) => other.startsWith(word)).map((other) => (
      [other, other === word ? 1 : share * (0.5 + 0.4 * (word.length / other.length))]
    ));
  }

  // Returns [word, quality] of the words that one is by one typing error, the likeliest first: what
  // is nearest to a person's name is another person's. It is near as a whole: "html" is no hamlet.
  function misspelt(engine, word) {
    const near = within(engine, word, word.length < 4 ? 0 : 1).map(([other]) => other)
      .filter((other) => distance(other, word, 1) < 2);
    return near.some(engine.isPerson) ? [] : near.map((other) => [other, 0.4]);
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

  // Returns each two words of a text that stand side by side, and what matches them, in the plural, too.
  function pairsIn(text) {
    const words = fold(priced(text)).match(PART) || [];
    return words.slice(1).map((word, at) => [words[at], word])
      .filter((pair) => !pair.some((word) => STOP_WORDS.has(word)))
      .map((pair) => [pair, wholeName([pair.join(" ")])]);
  }

  // Returns the papers that hold the most words: first those in which most of these stand side by
  // side as in the query, or a single one whole ("Voyager" before WebVoyager); ties stay in the order
  // of the index. Those that hold them in the names of their categories alone are left out where
  // others say them; so are those without what stands in quotation marks.
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
    const sideBySide = pairsIn(query);
    const pairs = sideBySide.length ? sideBySide : [[[query], wholeName([query.trim()])]];
    const beside = new Map(papers.map((paper) => (
      [paper, pairs.filter(([, words]) => holds(paper, words)).length]
    )));
    return papers.sort((one, other) => (
      beside.get(other) - beside.get(one) || score[other] - score[one] || one - other
    ));
  }

  // Returns words in quotation marks if whoever asks for them means them as they stand: in several
  // papers, or most that have them, they stand side by side.
  function phrased(engine, index, words) {
    // The long form of an abbreviation is sought as it stands already.
    if (!pairsIn(words).length || engine.shortened(words) !== words) return words;
    const number = find(engine, index, `"${words}"`).papers.length;
    const most = number * 2 >= find(engine, index, words).papers.length;
    return number >= SEVERAL || (number && most) ? `"${words}"` : words;
  }

  Object.assign(fieldguide, { makeEngine, pairsIn });
})();
