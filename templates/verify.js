// “Verify this page” and “Verify this survey” do the checks of verify.py in the browser, from the data
// of the papers. The data is a script, because a page on file:// cannot fetch files. To check every page
// and link, the reader chooses the folder of the survey. docs/proof.md describes the format.
"use strict";
(() => {
  const EVIDENCE = ["papers", "facts", "metrics", "taxonomy", "changes"].map((name) => `${name}.json`);
  const WORDS = "none one two three four five six seven eight nine".split(" ");
  const WORD = `\\b(?:${WORDS.join("|")})\\b`;
  const NUMBER = new RegExp(
    `(?<![\\p{L}\\p{N}_.,-])\\d+(?:,\\d{3})*(?:\\.\\d+)?(?![\\p{L}\\p{N}_-]|[.,]\\d)|${WORD}`, "giu");
  const COUNT = new RegExp(`^(?:all )?([\\d,]+|${WORD})(?: papers?)?$`, "i");
  const UNITS = {
    "×": /[\p{L}\d]\W?(?:[x×]|times|-?fold)|[x×]\W?\d|\bfactor|\bspeed-?up|\bthroughput (?:gain|improvement)/iu,
    "%": /%|per ?cent|pct/i,
    points: /(?:\b|\d)p(?:oints?|\.?p)\b|%/i,
  };
  const STRUCTURE = new RegExp(
    "^(?:#{1,6} [^\\n]+|(?:\\|[^\\n]*\\n?)+|\\*[^\\n]+\\*|(?:Edited by|version|newest paper) [^\\n]*|" +
    '(?:<a id="[^"]+"></a>)?(?:(?:!\\[|\\*\\*(?:Table|Figure)\\b[^*\\n]*\\*\\* |\\*\\*\\d+\\.\\*\\* )[^\\n]*)?)$');
  const LINK = /!?\[(?:\\.|\[[^\]]*\]|[^[\]\\])*\]\([^()\s]*\)/g;
  const unescape = (text) => {
    const box = document.createElement("textarea");
    box.innerHTML = text;
    return text.includes("&") ? box.value : text;
  };
  const folded = (text) => text.trim().split(/\s+/).join(" ");
  const plain = (text) => folded(unescape(text.replace(/\\([\\`*_{}[\]<>|#()!.+~-])/g, "$1")));
  const letters = (text) => text.replace(/[\s\\`*_[\]|<>!]/g, "");
  const MARKUP = /(?<!\\)<\/?(?!https?:)[A-Za-z][^>]*>|(?<=\])\([^()\s]*\)|^\s*(?:(?:[-+#]+|\d+\.) )+/gm;
  const forms = (text) => [letters(text), letters(unescape(text.replace(MARKUP, "")))];
  const slice = (text, start, end) => Array.from(text).slice(start, end).join(""); // code points
  const digits = (number) => {
    const low = number.toLowerCase().replace(/,/g, "");
    return WORDS.includes(low) ? String(WORDS.indexOf(low)) : low;
  };
  const rounded = (number, places) => { // half to even, as Python rounds
    const whole = Math.round(number * 10 ** places);
    const isTie = number * 10 ** places - Math.floor(number * 10 ** places) === 0.5;
    return ((isTie && whole % 2 ? whole - 1 : whole) / 10 ** places).toFixed(places);
  };
  const numbersIn = (text) => text.match(/\d+/g) || [];

  function termsOf(paper, first) {
    const own = paper.labels[first], date = paper.published, month = date.slice(5, 7);
    const terms = {
      filed: [own.primary], status: [own.status], text: [paper.abstract_kind],
      key: [paper.key ? "yes" : "no"], authors: [paper.authors.length ? "yes" : "no"],
      several: [own.categories.filter((each) => !each.includes("/")).length > 1 ? "yes" : "no"],
      dated: [{ 0: "none", 4: "year", 7: "month" }[date.length] || "day"],
      year: [date.slice(0, 4) || "undated"],
      month: [month ? date.slice(0, 7) : "undated"],
      quarter: [month ? `${date.slice(0, 4)}-Q${Math.floor((Number(month) + 2) / 3)}` : "undated"],
    };
    for (const [facet, given] of Object.entries(paper.labels)) {
      terms[facet] = given.categories.length ? given.categories : ["none"];
    }
    return Object.assign(terms, paper.terms);
  }

  // data: name of a file -> its content, JSON as values; pages: path -> document; known: all paths;
  // isWhole: whether to check the whole survey, or only what the pages print.
  function verify(data, pages, known, isWhole) {
    const papers = data["papers.json"], facts = data["facts.json"], metrics = data["metrics.json"];
    const checked = {}, failures = [], rows = new Map(), byId = new Map(), texts = new Map();
    const count = (what) => { checked[what] = (checked[what] || 0) + 1; };
    const fail = (file, found, expected) => failures.push({ file, found, expected });
    const [first, facet] = Object.entries(data["taxonomy.json"].facets)[0];
    const outside = facet.categories.filter((each) => each.out_of_scope).map((each) => `filed=${each.id}`);
    const added = new Set(data["changes.json"].added.map((paper) => paper.id));
    papers.forEach((paper, row) => {
      [...paper.aliases, paper.id].forEach((id) => byId.set(id, paper));
      for (const [key, values] of Object.entries(termsOf(paper, first))) {
        if (!rows.has(key)) rows.set(key, new Map());
        for (const value of values) {
          if (!rows.get(key).has(value)) rows.get(key).set(value, new Set());
          rows.get(key).get(value).add(row);
        }
      }
    });
    data["sentences.jsonl"].forEach((each) => texts.set(each.id, each.text));

    function evaluate(query) {
      const [, form, argument] = /^(\w+)\((.*)\)$/.exec(query) || [null, "count", query];
      if (form === "distinct" || form === "having") {
        const named = argument.split("&").map((key) =>
          [...(rows.get(key) || [])].filter(([value]) => value !== "none"));
        const having = named.map((found) => new Set(found.flatMap(([, of]) => [...of])));
        return form === "distinct" ? named[0].length
          : [...having[0]].filter((row) => having.every((each) => each.has(row))).length;
      }
      if (form === "rows") return data[argument].replace(/"[^"]*"/g, "").trim().split("\n").length - 1;
      if (form === "sum") {
        return argument.split(", ").reduce((sum, p) => sum + (p in facts ? facts[p].value : Number(p)), 0);
      }
      if (!["count", "new", "earliest", "latest"].includes(form) || !/^all$|=/.test(argument)) return null;
      const terms = argument === "all" ? [] : [...new URLSearchParams(argument)];
      const found = papers.filter((_, row) =>
        terms.every(([key, value]) => rows.get(key)?.get(value)?.has(row)));
      const dates = found.map((paper) => paper.published).filter(Boolean).sort();
      const values = {
        count: found.length, new: found.filter((paper) => added.has(paper.id)).length,
        earliest: dates[0] || "", latest: dates[dates.length - 1] || "",
      };
      return values[form];
    }

    function missingWords(sentence, paper) {
      if (!paper) return `a paper of papers.json instead of '${sentence.source}'`;
      const words = slice(paper.abstract, ...(sentence.span || [0, 0]));
      const kind = paper.abstract_kind === "digest" ? "P" : "Q";
      const small = words.slice(0, 1).toLowerCase() + words.slice(1);
      const forms = kind === "Q" ? [`“${words}”`] : [words, small].map((each) => each.replace(/\.$/, ""));
      const isHeld = words && words === words.trim() && forms.some((form) => plain(sentence.text).includes(unescape(form)));
      return isHeld && kind === sentence.kind ? "" : `${kind} of ${paper.id}: “${words}”`;
    }

    function missingNumbers(sentence, scheme, ids) {
      const at = (name) => {
        const all = { ...metrics.facets, ...metrics };
        return (name in all ? [name] : name.split(".")).reduce((value, key) => value?.[key], all);
      };
      const values = ids.map((name) => (scheme === "facts" ? facts[name]?.value : at(name)));
      if (values.some((value) => value === undefined)) return `keys of ${scheme}.json instead of '${ids}'`;
      const figures = values.flat(), given = new Set();
      const figuresOnly = figures.filter((figure) => typeof figure === "number");
      if (scheme === "metrics") {
        figuresOnly.forEach((n) => [String(n), rounded(n, 2), rounded(100 * n, 0)].forEach((f) => given.add(f)));
      } else {
        [...figuresOnly, 0].forEach((one, i, all) =>
          all.slice(i + 1).forEach((other) => given.add(String(Math.abs(one - other)))));
        const held = ids.filter((name, i) => name.includes("=") && values[i]);
        [held, held.filter((name) => !outside.includes(name))].forEach((e) => given.add(String(e.length)));
        [...ids, ...figures.filter((figure) => typeof figure === "string")].flatMap(numbersIn)
          .forEach((number) => given.add(String(Number(number))));
      }
      const apart = new Set((sentence.apart || []).map(([start]) => start));
      const wrong = [...sentence.text.matchAll(NUMBER)].filter((match) =>
        !apart.has(Array.from(sentence.text.slice(0, match.index)).length) && !given.has(digits(match[0])));
      return wrong.length ? `instead of ${wrong[0][0]} one of ${[...given].join(", ")}` : "";
    }

    function checkSentence(sentence) {
      const [, scheme, ids] = /^(.*?)(?:: ([^]*))?$/.exec(sentence.source);
      let expected = "";
      if ("QP".includes(sentence.kind)) {
        count("quotations and paraphrases");
        expected = missingWords(sentence, byId.get(ids));
      } else if (scheme === "facts" || scheme === "metrics") {
        count("computed sentences");
        expected = missingNumbers(sentence, scheme, ids.split(", "));
      }
      if (expected) fail("sentences.jsonl", `'${sentence.id}': “${sentence.text}”`, expected);
    }

    function checkResult(paper, result) {
      count("numbers of papers");
      const [start, end] = result.number, clause = result.quote;
      const value = numbersIn(result.value), number = slice(paper.abstract, start, end);
      const sign = /[+−](?=[\d.·])/.exec(result.short);
      const signs = ({ up: "+", down: "−" }[result.direction] || "") + (/^[-−–]/.test(number) ? "−" : "");
      const isUnit = UNITS[result.unit]
        ? UNITS[result.unit].test(clause)
        : clause.toLowerCase().includes(result.unit.toLowerCase());
      const isHeld = clause === slice(paper.abstract, result.start, result.end)
        && result.start <= start && start < end && end <= result.end
        && numbersIn(number).slice(0, value.length).join() === value.join()
        && isUnit
        && value.every((each) => numbersIn(result.short).includes(each))
        && (!sign || signs.includes(sign[0]));
      if (!isHeld) fail("papers.json", `${result.short} (${paper.id})`, `a number of “${clause}”`);
    }

    function checkSurvey(markdown) {
      const parts = data["sentences.jsonl"].flatMap((sentence) => sentence.text.split("\n\n")
        .filter((part) => part.trim()).map((part) => [sentence.id, folded(part), "in" in sentence]));
      parts.push(["", "\0", false]);
      let met = 0;
      for (const block of markdown.split("\n\n")) {
        let text = folded(block);
        const isTable = block.trimStart().startsWith("|"), begins = text.startsWith(parts[met][1]);
        const isStructure = !begins && STRUCTURE.test(block.trim());
        while (text.includes(parts[met][1]) && (isTable ? parts[met][2] : !isStructure)) {
          text = text.replace(parts[met][1], () => " ");
          met += 1;
        }
        if (/[\p{L}\p{N}_]/u.test(text.replace(LINK, "")) && !isStructure) {
          fail("survey.md", `prose without a source, “${text.slice(0, 80)}”`, `the text of sentence '${parts[met][0]}'`);
        }
      }
      if (parts[met][0]) fail("survey.md", `no sentence '${parts[met][0]}'`, "every sentence, in order");
    }

    function checkText(path, element) {
      const [address, query] = (element.getAttribute("href") || "").split("?");
      let text = element.textContent, kind, right;
      if (element.dataset.quote) {
        const [, id, start, end] = /^(.*) (\d+) (\d+)$/.exec(element.dataset.quote);
        [kind, right] = ["quotations", [slice(byId.get(id).abstract, start, end)]];
      } else if (element.dataset.kind) {
        const whole = texts.get(element.id) || "";
        [kind, right] = ["sentences", [whole, whole.replace(/^\\\[\[\d+\]\(#ref-\d+\)\\\]/, "")]];
      } else if (address.endsWith("browse.html") && COUNT.test(text)) {
        [kind, right] = ["counts", [String(evaluate(query || "all"))]];
        text = digits(COUNT.exec(text)[1]);
      } else if (address.endsWith("#found")) {
        const page = `p/${address.split("p/").pop().replace("#found", "")}`;
        const paper = papers.find((each) => each.page === page);
        right = paper.results.map((result) => result.short);
        right.push(...paper.results.map((result) => slice(paper.abstract, ...result.number)));
        kind = "results";
        if (text.split("; ").every((part) => right.some((each) => `${each} on `.startsWith(`${part} on `)))) {
          text = right[0];
        }
      } else return;
      count(`${kind} on pages`);
      if (!right.flatMap(forms).includes(letters(text))) fail(path, `“${text}”`, `“${right.join(" or ")}”`);
    }

    function checkLink(path, element, name) {
      const address = element.getAttribute(name), here = `https://site.invalid/${path}`;
      count("links");
      const url = new URL(address, here), [target, id] = [decodeURI(url.pathname.slice(1)), url.hash.slice(1)];
      const isInside = url.host === "site.invalid" && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address);
      if (!isInside) {
        if (!/^(https?|mailto):$/.test(url.protocol)) fail(path, `a link to '${address}'`, "an http or https address");
      } else if (!known.has(target)) fail(path, `a link to '${address}'`, "a file of the site");
      else if (id && pages.has(target) && !pages.get(target).getElementById(decodeURIComponent(id))) {
        fail(path, `a link to '${address}'`, `an id of ${target}`);
      }
    }

    const shown = [...pages.values()];
    const sentences = data["sentences.jsonl"].filter(
      (each) => isWhole || shown.some((page) => page.getElementById(each.id)));
    const sources = new Set(sentences.flatMap((each) => each.source.replace(/^facts: /, "").split(", ")));
    const links = new Set(shown.flatMap((page) => [...page.links]).map((link) => link.href.split("#")[0]));
    const isLinked = (paper) => [...links].some((link) => link.endsWith(`/${paper.page}`));
    for (const [name, fact] of Object.entries(facts)) {
      if (!isWhole && !sources.has(name)) continue;
      count(fact.query === "stated" ? "facts stated, not computed" : "facts");
      const value = fact.query === "stated" ? fact.value : evaluate(fact.query);
      if (value !== fact.value || (name.includes("=") && name !== fact.query)) {
        fail("facts.json", `${name} = ${fact.value}`, `${value}: ${fact.query}`);
      }
    }
    sentences.forEach(checkSentence);
    papers.filter((paper) => isWhole || pages.has(paper.page) || isLinked(paper))
      .forEach((paper) => paper.results.forEach((each) => checkResult(paper, each)));
    for (const name of EVIDENCE) {
      if (data["evidence.js"] && !data["evidence.js"].includes(data.texts[name].trim())) {
        fail("evidence.js", `content that differs from ${name}`, "the same content");
      }
    }
    if (data["survey.md"]) checkSurvey(data["survey.md"]);
    for (const [path, page] of pages) {
      page.querySelectorAll("[data-quote], [data-kind], a").forEach((each) => checkText(path, each));
      for (const name of ["href", "src", "srcset"]) {
        page.querySelectorAll(`[${name}]:not(base)`).forEach((each) => checkLink(path, each, name));
      }
    }
    return { checked, failures };
  }

  // files: path -> text, of a whole survey.
  function verifyFolder(files) {
    const data = { texts: files, "evidence.js": files["evidence.js"], "survey.md": files["survey.md"] };
    EVIDENCE.forEach((name) => { data[name] = JSON.parse(files[name]); });
    ["quarantine.csv", "excluded.csv"].forEach((name) => { data[name] = files[name]; });
    data["sentences.jsonl"] = files["sentences.jsonl"].trim().split("\n").map((line) => JSON.parse(line));
    const pages = Object.keys(files).filter((path) => path.endsWith(".html")).sort().map((path) =>
      [path, new DOMParser().parseFromString(files[path], "text/html")]);
    return verify(data, new Map(pages), new Set(Object.keys(files)), true);
  }
  window.fieldguideVerify = { verify, verifyFolder };
})();
