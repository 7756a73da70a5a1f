// The browse page: papers by words and facets, with the state in the address.
//
// Every choice is a link, so that readers can open it in a new tab, copy it, and go back. This script
// follows the link without reloading the page.
"use strict";

(() => {
  const FIRST_VALUES = 10;
  const TYPING_PAUSE = 80; // milliseconds
  const SORTS = {
    relevance: "Relevance", newest: "Newest first", oldest: "Oldest first", title: "Title",
  };
  const { element, counted } = fieldguide;
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const title = document.title;
  let library = null;
  let state = null;
  let shownResult = null; // { found, papers, sought } of the state that is shown
  const groups = new Map();
  const opened = new Set(); // keys of which all values are shown

  fieldguide.load().then((loaded) => {
    library = loaded;
    part("browse").hidden = false;
    part("narrow").open = window.matchMedia("(min-width: 60rem)").matches;
    addGroups();
    readAddress();
    listen();
  }).catch((error) => {
    part("failed").hidden = false;
    throw error;
  });

  function listen() {
    const form = part("form");
    const field = form.elements.q;
    let pause = 0;
    window.addEventListener("popstate", readAddress);
    field.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(() => typed(field.value.trim()), TYPING_PAUSE);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(pause);
      typed(field.value.trim());
    });
    part("browse").addEventListener("click", follow);
    part("show").addEventListener("click", showPapers);
  }

  // While a reader types, only the first letter adds an entry to the history.
  function typed(words) {
    if (words === state.q) return;
    const sort = words && state.sort === "relevance" ? "" : state.sort;
    const next = { ...state, sort: words ? sort : "", page: 1 };
    next.q = fieldguide.readWords(next, words);
    go(next, Boolean(state.q && words));
  }

  function follow(event) {
    const link = event.target.closest("a[data-go]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!link || !isPlain) return;
    event.preventDefault();
    const target = link.dataset.go;
    go(fieldguide.readQuery(new URL(link.href).search, library.index));
    part("form").elements.q.value = state.q;
    if (target === "value") focusOn(link.dataset.term);
    else part("heading").focus({ preventScroll: target !== "page" });
    if (target === "page") part("heading").scrollIntoView();
  }

  // On a narrow screen the papers are below the facets, so the facets are closed to show the papers.
  function showPapers(event) {
    event.preventDefault();
    part("narrow").open = false;
    part("heading").focus({ preventScroll: true });
    part("heading").scrollIntoView();
  }

  function focusOn(term) {
    const again = [...document.querySelectorAll("a[data-term]")].find(
      (link) => link.dataset.term === term,
    );
    (again || part("heading")).focus();
  }

  // Shows a state and writes it into the address. If the browser does not let a page change its address
  // (some do not for files), the address is loaded.
  function go(next, isReplacing = false) {
    const address = addressOf(next);
    try {
      window.history[isReplacing ? "replaceState" : "pushState"](null, "", address);
    } catch {
      window.location.assign(address);
      return;
    }
    state = next;
    render();
  }

  function addressOf(next) {
    return fieldguide.writeQuery(next) || window.location.pathname;
  }

  function readAddress() {
    state = fieldguide.readQuery(window.location.search, library.index);
    part("form").elements.q.value = state.q;
    render();
  }

  // Everything below shows `state`.

  function render() {
    const found = state.q ? library.engine.find(state.q) : null;
    const papers = library.filterPapers(found, state.terms);
    const listed = sorted(papers, Boolean(found), state.sort);
    const pages = Math.max(1, Math.ceil(listed.length / library.pageSize));
    const start = (Math.min(state.page, pages) - 1) * library.pageSize;
    const shown = listed.slice(start, start + library.pageSize);
    state.page = Math.min(state.page, pages);
    shownResult = { found, papers, sought: found || { words: cuesChosen(), readings: [] } };
    renderHeading(papers.length);
    renderNotes(found, papers.length);
    renderSorts(Boolean(found));
    renderSpan();
    renderPapers(shown, start);
    renderPages(pages);
    renderFold(found, papers.length);
    library.index.keys.forEach(renderGroup);
  }

  // If places match more words, papers with at most half of the words are hidden until a reader narrows
  // or sorts them.
  function renderFold(found, number) {
    const isFolded = Boolean(number && found && found.nMatched * 2 <= found.words.length
      && !state.terms.length && !state.sort && state.page === 1
      && library.places(state.q).some(({ isPartly }) => !isPartly));
    part("fold").open = !isFolded;
    part("folded").hidden = !isFolded;
    part("folded").textContent = `${counted(number, "paper")} with some of the words`;
  }

  // The index lists the newest papers first, the engine the best ones.
  function sorted(papers, hasWords, sort) {
    const order = sort || (hasWords ? "relevance" : "newest");
    if (order === "title") return library.byTitle(papers);
    if (order === "oldest") return library.byAge(papers);
    return order === "newest" && hasWords ? [...papers].sort((one, other) => one - other) : papers;
  }

  function renderHeading(number) {
    const how = number && shownResult.found && shownResult.found.missing.length ? "like" : "matching";
    const words = [...phrases(), ...(state.q ? [`${how} ${quoted(state.q)}`] : [])];
    const count = number === library.papers.count
      ? `All ${counted(number, "paper")}`
      : `${number.toLocaleString("en")} of ${counted(library.papers.count, "paper")}`;
    part("heading").textContent = words.length ? `${count}: ${words.join(", ")}` : count;
    part("count").textContent = counted(number, "paper");
    part("show").textContent = `Show ${counted(number, "paper")}`;
    document.title = `${part("heading").textContent} · ${title}`;
    const chips = state.terms.map((term) => chip(phrase(term), without(term)));
    if (state.q) chips.push(chip(quoted(state.q), { ...state, q: "", sort: "", page: 1 }));
    if (chips.length > 1) chips.push(chip("clear all", { ...state, terms: [], q: "", sort: "", page: 1 }));
    part("chips").replaceChildren(...chips);
    part("chips").hidden = !chips.length;
  }

  function quoted(words) {
    return /["“”]/.test(words) ? words : `“${words}”`;
  }

  function phrase([key, value]) {
    const number = library.papers.numberOf(key, value);
    return number === undefined ? `${key} ${value}` : library.papers.terms[number].phrase;
  }

  // Returns one phrase per key; the values of a key are alternatives: "of 2025 or of 2026".
  function phrases() {
    const keys = [...new Set(state.terms.map(([key]) => key))];
    return keys.map((key) => state.terms.filter(([one]) => one === key).map(phrase).join(" or "));
  }

  function without([key, value]) {
    const terms = state.terms.filter(([one, other]) => one !== key || other !== value);
    return { ...state, terms, page: 1 };
  }

  function chip(text, next) {
    return element("li", {}, goLink("chip", next, { "aria-label": `Remove: ${text}` }, text));
  }

  function goLink(kind, next, attributes, ...content) {
    return element("a", { href: addressOf(next), "data-go": kind, ...attributes }, ...content);
  }

  function renderNotes(found, number) {
    const notes = state.strange.map((text) => [`Not understood, so ignored: ${text}.`]);
    if (state.q) notes.push(...placeNotes(library.places(state.q)));
    if (found) {
      notes.push(...found.missing.map((text) => [text]));
      found.readings.forEach(([word, read]) => notes.push([`“${word}” is searched as “${read}”.`]));
      if (found.papers.length && found.nMatched < found.words.length) {
        notes.push([`No paper has all of these words; these have ${found.nMatched} of ${found.words.length}.`]);
      }
      if (found.absent.length) notes.push([`No paper has ${found.absent.map(quoted).join(" or ")}.`]);
    }
    if (found && found.more > 0) {
      const all = { ...state, q: `${state.q}*`, page: 1 };
      const many = number ? `${found.more} more` : counted(found.more, "paper");
      notes.push([goLink("near", all, {}, many), " with a word that begins like this."]);
    }
    if (found) {
      notes.push(...fieldguide.knownShares(found, library.papers.count)
        .map((text) => [`${text[0].toUpperCase()}${text.slice(1)}.`]));
    }
    const undated = state.sort ? shownResult.papers.filter((paper) => !library.index.dates[paper]).length : 0;
    if (undated && state.sort !== "title") {
      notes.push([`${counted(undated, "paper")} without a date ${undated > 1 ? "are" : "is"} listed last.`]);
    }
    if (number) notes.push(...topicNotes());
    else if (!found || !(found.missing.length || found.absent.length)) notes.push(["No paper matches."]);
    if (found && found.similar.length) notes.push(["Similar words: ", ...similarLinks(found.similar)]);
    part("notes").replaceChildren(...notes.map((content) => element("p", {}, ...content)));
  }

  function placeNotes(places) {
    return places.map(({ label, kind, href }) => [
      `${kind[0].toUpperCase()}${kind.slice(1)}: `, element("a", { href }, label),
    ]);
  }

  // Adds links to more about the chosen topics; the first key is the facet of topics.
  function topicNotes() {
    const [topics] = library.index.keys;
    return state.terms.filter(([key]) => key === topics.id || key === "filed").map(([, value]) => {
      const [, name] = topics.values.find(([id]) => id === value) || [];
      const link = name && element("a", { href: `c/${value}.html` }, name);
      return link && ["See ", link, " for the survey’s words and all references as BibTeX, RIS or CSV."];
    }).filter(Boolean).slice(0, 1);
  }

  function similarLinks(words) {
    return words.flatMap((word, position) => {
      const link = goLink("near", { ...state, q: word, page: 1 }, {}, word);
      return position ? [", ", link] : [link];
    });
  }

  function renderSorts(hasWords) {
    const now = state.sort || (hasWords ? "relevance" : "newest");
    const usual = hasWords ? "relevance" : "newest";
    const links = Object.entries(SORTS)
      .filter(([sort]) => hasWords || sort !== "relevance")
      .map(([sort, name]) => {
        const next = { ...state, sort: sort === usual ? "" : sort, page: 1 };
        return goLink("sort", next, { "aria-current": sort === now ? "true" : null }, name);
      });
    const bibtex = element("button", { type: "button" }, "BibTeX of this list");
    bibtex.addEventListener("click", saveBibtex);
    part("sorts").replaceChildren("Sorted by", ...links, bibtex);
  }

  async function saveBibtex() {
    await fieldguide.loadScript("references.js");
    const { pages } = library.index;
    const entries = shownResult.papers.map((paper) => window.fieldguideBibtex[pages[paper]]);
    const href = URL.createObjectURL(new Blob([entries.join("\n")], { type: "text/x-bibtex" }));
    element("a", { href, download: "references.bib" }).click();
  }

  function renderPapers(shown, start) {
    part("papers").start = start + 1;
    part("papers").replaceChildren(...shown.map(paperItem));
  }

  function paperItem(position) {
    const paper = library.papers.paper(position);
    const facts = [
      paper.authors && element("span", {}, paper.authors),
      paper.date ? element("time", { datetime: paper.machineDate }, paper.date)
        : element("span", {}, "undated"),
      element("span", {}, paper.topic),
      ...paper.kinds.map((kind) => element("span", {}, kind)),
      paper.code && element("a", { href: `https://${paper.code}`, rel: "noreferrer" }, "code"),
      paper.isKey && element("span", { class: "badge key" }, "key paper"),
      element("span", { class: `badge ${paper.status}` }, paper.status),
    ];
    const item = element(
      "li", {},
      element("a", { class: "title", href: paper.href }, paper.title),
      element("p", { class: "facts" }, ...facts.filter(Boolean).flatMap((fact) => [fact, " "])),
    );
    const asked = state.terms.map(([key, value]) => paper.said.get(library.papers.numberOf(key, value)));
    const shown = asked.filter(Boolean);
    if (shown.length) shown.forEach((said) => item.append(element("p", {}, said)));
    else if (paper.texts[0]) item.append(element("p", {}, said(paper.texts)));
    return item;
  }

  // Returns the part of a paper's texts to show: the sentence with the most words of the query, or with
  // the most cues of the chosen labels.
  function said([shown, whole = ""]) {
    return fieldguide.bestSentence(library.engine, shownResult.sought, shown, whole);
  }

  function cuesChosen() {
    const pages = state.terms.map((term) => `browse.html${fieldguide.writeQuery({ terms: [term] })}`);
    return (library.index.places || [])
      .filter(([, kind, page]) => kind === "label" && pages.includes(page))
      .flatMap(([, , , cues]) => (cues ? cues.split(", ") : []));
  }

  function renderPages(pages) {
    const links = [];
    if (state.page > 1) links.push(goLink("page", { ...state, page: state.page - 1 }, { rel: "prev" }, "Back"));
    if (pages > 1) links.push(element("span", {}, `Page ${state.page} of ${pages}`));
    if (state.page < pages) links.push(goLink("page", { ...state, page: state.page + 1 }, { rel: "next" }, "Further"));
    part("pages").replaceChildren(...links);
    part("pages").hidden = pages < 2;
  }

  function addGroups() {
    for (const key of library.index.keys) {
      const list = element("ul", { class: "values" });
      const box = element("details", {}, element("summary", {}, key.name), list);
      box.open = key.open;
      if (key.id === "year") box.insertBefore(spanFields(key), list);
      groups.set(key.id, { box, list });
      part("facets").append(box);
    }
  }

  // Two lists for the first and the last year; the values of the key begin with the newest year.
  function spanFields(key) {
    const years = key.values.map(([year]) => year).filter((year) => /^\d{4}$/.test(year)).reverse();
    const fields = Object.entries({ since: "from", until: "to" }).map(([id, name]) => {
      const options = ["", ...years].map((year) => element("option", { value: year }, year || "any"));
      const field = element("select", { "data-span": id }, ...options);
      field.addEventListener("change", () => {
        const others = state.terms.filter(([one]) => one !== id);
        go({ ...state, terms: field.value ? [...others, [id, field.value]] : others, page: 1 });
      });
      return element("label", {}, `${name} `, field);
    });
    return element("p", { class: "span" }, ...fields.flatMap((field) => [field, " "]));
  }

  function renderSpan() {
    document.querySelectorAll("[data-span]").forEach((field) => {
      const [, value] = state.terms.find(([id]) => id === field.dataset.span) || ["", ""];
      field.value = value;
    });
  }

  function renderGroup(key) {
    const chosen = state.terms.filter(([one]) => one === key.id).map(([, value]) => value);
    const { box, list } = groups.get(key.id);
    // The values of a key are alternatives: each shows the number of papers that it would add.
    const others = state.terms.filter(([one]) => one !== key.id);
    const papers = chosen.length ? library.filterPapers(shownResult.found, others) : shownResult.papers;
    const counts = library.counts(key, papers);
    const rows = key.values
      .map(([value, label], at) => (
        { value, label, count: counts[at], isChosen: chosen.includes(value) }
      ))
      .filter((row) => row.count || row.isChosen);
    const isCut = rows.length > FIRST_VALUES + 2 && key.long && !opened.has(key.id);
    const shown = isCut ? rows.filter((row, at) => at < FIRST_VALUES || row.isChosen) : rows;
    box.hidden = rows.length < 2 && !chosen.length;
    list.replaceChildren(...(box.hidden ? [] : shown.map((row) => valueItem(key, row))));
    if (isCut) list.append(element("li", {}, moreButton(key, rows.length - shown.length)));
    if (chosen.length) box.open = true;
  }

  function moreButton(key, number) {
    const button = element("button", { type: "button" }, `${number} more`);
    button.addEventListener("click", () => {
      const place = groups.get(key.id).list.children.length - 1;
      opened.add(key.id);
      renderGroup(key);
      groups.get(key.id).list.children[place].firstElementChild.focus();
    });
    return button;
  }

  function valueItem(key, row) {
    const term = [key.id, row.value];
    // A subtopic narrows a chosen topic, so it replaces the topic, and the topic replaces the subtopic.
    const isRelated = ([one, other]) => key.nested && one === key.id
      && (row.value.startsWith(`${other}/`) || other.startsWith(`${row.value}/`));
    const next = row.isChosen ? without(term)
      : { ...state, terms: [...state.terms.filter((one) => !isRelated(one)), term], page: 1 };
    const link = goLink(
      "value", next,
      { "data-term": `${key.id}=${row.value}`, "aria-current": row.isChosen ? "true" : null },
      row.label,
    );
    const depth = key.nested ? row.value.split("/").length - 1 : 0;
    return element(
      "li", { class: depth ? "below" : null },
      link, " ", element("span", { class: "count" }, row.count.toLocaleString("en")),
    );
  }
})();
