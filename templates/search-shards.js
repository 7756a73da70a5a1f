// The library of a survey of very many papers: its index comes in parts, each a script that is loaded
// when something of it is asked for, since a page opened from the disk may read no other file.
//
// It gives what the library of search-papers.js gives, as promises. What differs: a word of which
// very many words are the beginning is looked for as a whole word, a slip is read as the likeliest few
// of the words that many papers hold, and a title that holds all words in their order counts no more
// than they do.
"use strict";

(() => {
  const MOST_PARTS = 4; // that are loaded for one word of a query
  const MOST_READINGS = 4; // of a slip
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const VALUES = new Uint8Array(128);
  [...DIGITS].forEach((digit, value) => { VALUES[digit.charCodeAt(0)] = value; });
  const loading = new Map();
  const arrived = new Map();

  // What the script of each part calls.
  function shard(name, content) {
    arrived.set(name, content);
  }

  // Returns a promise of what a part holds; one that could not be loaded is tried again.
  function load(name) {
    if (!loading.has(name)) {
      loading.set(name, fieldguide.loadScript(`search/${name}.js`).then(
        () => arrived.get(name),
        (error) => {
          loading.delete(name);
          throw error;
        },
      ));
    }
    return loading.get(name);
  }

  // Returns the rising numbers of a set, as classifier/site/number_sets.py writes it.
  function numberSet(text) {
    return text[0] === "=" ? fromBits(text) : fromGaps(text);
  }

  function fromBits(text) {
    const numbers = [];
    for (let at = 1; at < text.length; at += 1) {
      let number = (at - 1) * 6;
      for (let bits = VALUES[text.charCodeAt(at)]; bits; bits >>= 1) {
        if (bits & 1) numbers.push(number);
        number += 1;
      }
    }
    return numbers;
  }

  function fromGaps(text) {
    const numbers = [];
    let last = -1;
    let gap = 0;
    let shift = 0;
    for (let at = 0; at < text.length; at += 1) {
      const digit = VALUES[text.charCodeAt(at)];
      gap |= (digit & 31) << shift;
      shift += 5;
      if (digit < 32) {
        last += gap + 1;
        numbers.push(last);
        gap = 0;
        shift = 0;
      }
    }
    return numbers;
  }

  // Returns numbers of so many digits each.
  function numbersOf(text, digits) {
    const numbers = new Uint32Array(text.length / digits);
    for (let at = 0; at < text.length; at += 1) {
      numbers[Math.floor(at / digits)] |= VALUES[text.charCodeAt(at)] << (6 * (at % digits));
    }
    return numbers;
  }

  function makeShardedLibrary(index, root) {
    const terms = fieldguide.readTerms(index);
    const all = Array.from({ length: index.size }, (_, paper) => paper);
    const placeOf = (paper) => [`papers-${Math.floor(paper / index.page)}`, paper % index.page];
    return {
      index,
      papers: { ...terms, count: index.size, paper: shown },
      engine: { find: (query) => find(index, query) },
      pageSize: 25,
      isWhole: false,
      sift,
      byTitle,
      counts,
      fetch: (papers) => Promise.all([...new Set(papers.map((paper) => placeOf(paper)[0]))].map(load)),
    };

    function shown(paper) {
      const [name, at] = placeOf(paper);
      const columns = arrived.get(name);
      const held = columns.terms[at].map((number) => terms.terms[number]);
      return fieldguide.readPaper(columns, root, at, held);
    }

    // Returns the sets of papers of the values of a key.
    async function setsOf(key) {
      return load(`key-${index.keys.indexOf(key)}`);
    }

    async function sift(found, wanted) {
      const pool = found ? found.papers : all;
      if (!wanted.length) return pool;
      const held = new Uint8Array(index.size);
      for (const [id, value] of wanted) {
        const span = fieldguide.SPANS[id];
        const key = index.keys.find((one) => one.id === (span ? "year" : id));
        if (span) {
          const sets = await setsOf(key);
          key.values.forEach(([year], at) => {
            if (!/^\d{4}$/.test(year) || !span(year, value)) return;
            numberSet(sets[at]).forEach((paper) => { held[paper] += 1; });
          });
          continue;
        }
        const place = key.values.findIndex(([one]) => one === value);
        if (place < 0) return [];
        numberSet((await setsOf(key))[place]).forEach((paper) => { held[paper] += 1; });
      }
      return pool.filter((paper) => held[paper] === wanted.length);
    }

    async function byTitle(papers) {
      const places = new Uint32Array(index.size);
      numbersOf(await load("titles"), index.digits).forEach((paper, place) => { places[paper] = place; });
      return [...papers].sort((one, other) => places[one] - places[other]);
    }

    async function counts(key, papers) {
      if (papers.length === index.size) {
        return key.values.map(([value]) => index.counts[terms.numberOf(key.id, value)]);
      }
      const isAsked = new Uint8Array(index.size);
      papers.forEach((paper) => { isAsked[paper] = 1; });
      return (await setsOf(key)).map((set) => (
        numberSet(set).reduce((count, paper) => count + isAsked[paper], 0)
      ));
    }
  }

  // Returns what the engine of search-words.js returns, and `whole`: words of the query that are
  // looked for as whole words.
  async function find(index, query) {
    const words = fieldguide.queryWords(query);
    const score = new Float64Array(index.size);
    const held = new Uint8Array(index.size);
    const readings = [];
    const near = [];
    const whole = [];
    for (const word of words) {
      let { matches, isWhole } = await beginningWith(index, word);
      if (isWhole) whole.push(word);
      if (!matches.length && !isWhole) {
        const spelling = await makeSpelling(index);
        const meant = fieldguide.misspelt(spelling, word).slice(0, MOST_READINGS);
        matches = (await Promise.all(meant.map(([one, worth]) => exactly(index, one, worth)))).flat();
        if (matches.length) readings.push([word, matches[0].word]);
        else near.push(...fieldguide.nearWords(spelling, word));
      }
      addWord(index, matches, score, held);
    }
    const most = held.reduce((one, other) => Math.max(one, other), 0);
    const papers = most * 2 >= words.length && most > 0 ? ranked(score, held, most) : [];
    return { papers, words, held: most, readings, near: [...new Set(near)], whole };
  }

  // Returns { word, quality, sets } of all words that begin with one; of that word alone where they
  // stand in too many parts.
  async function beginningWith(index, word) {
    const first = Math.max(0, fieldguide.firstFrom(index.words, `${word}\0`) - 1);
    const behind = fieldguide.firstFrom(index.words, `${word}\uffff`);
    if (behind - first > MOST_PARTS) {
      return { matches: await exactly(index, word, 1), isWhole: true };
    }
    const names = Array.from({ length: Math.max(0, behind - first) }, (_, at) => `words-${first + at}`);
    const matches = (await Promise.all(names.map(load))).flat()
      .filter(([found]) => found.startsWith(word))
      .map(([found, sets]) => ({ word: found, quality: fieldguide.quality(word, found), sets }));
    return { matches, isWhole: false };
  }

  async function exactly(index, word, quality) {
    const part = Math.max(0, fieldguide.firstFrom(index.words, `${word}\0`) - 1);
    const found = (await load(`words-${part}`)).find(([one]) => one === word);
    return found ? [{ word, quality, sets: found[1] }] : [];
  }

  let spelling = null;

  // Returns the words among which slips are looked for, as an engine has them.
  async function makeSpelling() {
    if (!spelling) {
      const frequent = (await load("spelling")).split(" ");
      const places = new Map(frequent.map((word, place) => [word, place]));
      spelling = {
        vocabulary: frequent,
        letters: frequent.map(fieldguide.letters),
        frequency: (word) => -places.get(word),
      };
    }
    return spelling;
  }

  // Adds what one word of the query is worth in each paper; a rare word is worth more.
  function addWord(index, matches, score, held) {
    const best = new Float64Array(index.size);
    for (const { quality, sets } of matches) {
      sets.split(".").forEach((set, field) => {
        const worth = quality * fieldguide.FIELD_WEIGHTS[field];
        for (const paper of numberSet(set)) if (worth > best[paper]) best[paper] = worth;
      });
    }
    const number = best.reduce((count, worth) => count + (worth > 0), 0);
    const rarity = Math.log(1 + index.size / (number || 1));
    best.forEach((worth, paper) => {
      if (!worth) return;
      score[paper] += worth * rarity;
      held[paper] += 1;
    });
  }

  // Returns the papers that hold the most words; ties stay in the order of the index.
  function ranked(score, held, most) {
    const papers = [];
    held.forEach((count, paper) => {
      if (count === most) papers.push(paper);
    });
    return papers.sort((one, other) => score[other] - score[one] || one - other);
  }

  Object.assign(fieldguide, { shard, numberSet, numbersOf, makeShardedLibrary });
})();
