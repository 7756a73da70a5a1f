// Words: how texts are cut into them, which forms they have, and how near two are.
"use strict";

(() => {
  // Rows in which a distance is computed, kept since there are thousands a query.
  const LONGEST = 64;
  const ROWS = [1, 2, 3].map(() => new Uint8Array(LONGEST));
  const STOP_WORDS = new Set((
    "a about al all an and any are as at be by can did do does et for from has have how i in is it "
    + "its many most not of on or s that the their there this paper papers to versus via vs was we were "
    + "what when where which who whose why with"
  ).split(" "));
  const COMPOUND = /[\p{L}\p{N}]+(?:[-‐‑–'’.][\p{L}\p{N}]+)*\*?/gu;
  // What is asked for whole: ReAct, SWE-Gym, GPT-4; "react*" asks for what begins so.
  const NAME = /^(?!.*[*\p{Script=Han}]).+[-‐‑–\p{Lu}\p{N}]/u;
  // Scripts that write without spaces are searched by the character.
  const PART = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
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

  // Returns the words that ask for a place: of "open-problem" two as one; "^new" asks as the first
  // word of a query alone.
  function askingWords(text) {
    return (text || "").replaceAll("-", "").split(" ").filter(Boolean);
  }

  // Says whether one of the words of a query asks, with those beside it.
  function asksAt(words, at, asking) {
    return (at === 0 && asking.has(`^${words[0]}`))
      || runsAt(words, at).flatMap(formsOf).some((form) => asking.has(form));
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

  // Returns forms of a word that it is no beginning of: "actions", "abilities", "code", "coding",
  // "generalise" -> "action", "ability", "coding", "code", "generalize".
  function kin(word) {
    const forms = [[/(?<=..)ies$/, "y"], [/(?<=..)y$/, "ies"], [/(?<=..[^s])s$/, ""], [/(?<=...)e$/, "ing"], [/(?<=...)ing$/, "e"],
      [/(?<=...)is(?=e[ds]?$|ing$|ations?$)/, "iz"], [/(?<=...)iz(?=e[ds]?$|ing$|ations?$)/, "is"]];
    return forms.map(([end, other]) => word.replace(end, other)).filter((form) => form !== word);
  }

  const formsOf = remembered((word) => [word, ...kin(word)]);

  // "correction", "stored" -> "correct", "store", with which "corrects" and "stores" begin
  const stem = remembered((word) => word.replace(/(?<=.{5})(?:ions?|ics?|ing|ed|es|s)$|(?<=.{4}e)d$/, ""));

  // Returns one of several words, and what it makes with words beside it: "open problems" are
  // "openproblems".
  function runsAt(words, at) {
    return [1, 2, 3].flatMap((length) => [...Array(length).keys()].map((back) => (
      words.slice(Math.max(0, at - back), at - back + length).join("")
    )));
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

  function remembered(work) {
    const known = new Map();
    return (text) => {
      if (!known.has(text)) known.set(text, work(text));
      return known.get(text);
    };
  }

  // Returns what matches a name, or other forms of it, as whole words.
  function wholeName(forms) {
    const any = forms.map(spelling).join("|");
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})s?(?![\\p{L}\\p{N}]|\\.\\p{N})`, "giu");
  }

  // Returns what matches where a word begins as one of some forms.
  function beginning(forms) {
    return new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.map(spelling).join("|")})`, "iu");
  }

  // "SWE-bench" -> what matches "swe bench" and "swebench", too; of "LLMs" what matches "llm".
  function spelling(name) {
    return fold(name.replace(/(?<=[^s])s$/, "")).replace(/[^\p{L}\p{N}]+/gu, (sign) => (
      sign === "." ? "\\." : "[^\\p{L}\\p{N}]*"
    ));
  }

  Object.assign(fieldguide, {
    COMPOUND, NAME, PART, STOP_WORDS,
    askingWords, asksAt, beginning, distance, fold, formsOf, indexedWords, kin, priced, queryNames,
    queryWords, remembered, runsAt, spelling, stem, wholeName,
  });
})();
