// Search while typing: turns each search form of a page into a combobox with a list of pages, as in the
// ARIA Authoring Practices. Without this script the form leads to browse.html?q=…
//
// Nothing is loaded before the reader types. Then search-engine.js and the other parts are loaded as
// scripts, one after another, because a page opened from the disk can load only scripts.
"use strict";

const fieldguide = (() => {
  const root = new URL(".", document.currentScript.src).href;
  const PARTS = ["engine", "papers", "places", "index"].map((part) => `search-${part}.js`);
  const MAX_PAPERS = 8;
  let loaded = null;

  // Returns a promise of the library, see search-papers.js.
  function load() {
    loaded = loaded || Promise.all(PARTS.map(loadScript))
      .then(() => fieldguide.makeLibrary(window.fieldguideIndex, root));
    return loaded;
  }

  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = element("script", { src: root + name });
      script.async = false; // The parts use each other.
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`${name} cannot be loaded`)));
      document.head.append(script);
    });
  }

  // Returns a new element; its content is text, never markup.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function counted(number, noun) {
    return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  }

  // Returns clauses about the papers with known names, because an unknown name may explain a missing result.
  function knownShares({ affiliated, authored }, count) {
    return [[affiliated, "an organisation is"], [authored, "authors are"]]
      .filter(([number]) => number !== null)
      .map(([number, what]) => `${what} known for ${number} of ${counted(count, "paper")}`);
  }

  function enhance(form, position) {
    const input = form.querySelector("input[name=q]");
    const list = element("ul", {
      id: `found-${position}`, role: "listbox", "aria-label": "Found", hidden: "",
    });
    const message = element("p", { class: "message", role: "status" });
    form.append(element("div", { class: "found" }, list, message));
    const attributes = {
      role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
      "aria-controls": list.id, autocomplete: "off",
    };
    Object.entries(attributes).forEach(([name, value]) => input.setAttribute(name, value));
    const box = { form, input, list, message, options: [], active: -1 };
    input.addEventListener("focus", () => load(), { once: true });
    input.addEventListener("input", () => answer(box));
    input.addEventListener("keydown", (event) => handleKey(box, event));
    input.addEventListener("blur", () => show(box, []));
    // A press on the list must not take the focus from the field.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) choose(box, [...list.children].indexOf(option));
    });
  }

  async function answer(box) {
    const typed = box.input.value.trim();
    if (!typed) return show(box, []);
    const { papers, engine, places } = await load();
    if (box.input.value.trim() !== typed) return undefined; // The text has changed meanwhile.
    const found = engine.find(typed);
    const many = found.papers.length;
    const pages = places(typed);
    const [above, below] = [false, true].map((isPartly) => (
      pages.filter((place) => place.isPartly === isPartly)
        .map(({ label, kind, href }) => option(label, kind, href))
    ));
    const near = [
      ...found.similar.map((word) => [`Similar word: ${word}`, word]),
      ...(found.more > 0 ? [[`${found.more} more with a word that begins like this`, `${typed}*`]] : []),
    ].map(([label, query]) => queryOption(box, label, query));
    const known = knownShares(found, papers.count);
    if (!many) return show(box, [...above, ...below, ...near], [`No paper matches “${typed}”`, ...known].join("; ").concat("."));
    // If places match, papers with at most half of the words are not listed.
    const max = above.length && found.nMatched * 2 <= found.words.length ? 0 : MAX_PAPERS;
    const listed = found.papers.slice(0, max).map((paper) => paperOption(papers.paper(paper)));
    const options = [...above, ...listed, ...below];
    const all = many > max ? `All that match: ${counted(many, "paper")}` : "Show on the browse page";
    options.push(...near, { content: [all], choose: () => box.form.requestSubmit() });
    const partly = found.nMatched < found.words.length
      ? [`no paper has all of these words; these have ${found.nMatched} of ${found.words.length}`] : [];
    if (found.absent.length) partly.push(`none has “${found.absent.join("” or “")}”`);
    const read = found.readings.map(([word, as]) => `“${word}” is searched as “${as}”`);
    const summary = [counted(many, "paper"), ...partly, ...read, ...known].join("; ");
    return show(box, options, [...found.missing, summary].join(" "));
  }

  function paperOption(paper) {
    const facts = [paper.authors, paper.date, paper.topic].filter(Boolean).join(" · ");
    return option(paper.title, facts, paper.href);
  }

  function option(name, facts, href) {
    return {
      content: [element("b", {}, name), element("small", {}, facts)],
      choose: () => location.assign(href),
    };
  }

  function queryOption(box, label, query) {
    return {
      content: [label],
      choose: () => {
        box.input.value = query;
        answer(box);
      },
    };
  }

  // Shows options, or closes the list if there are none; screen readers read the message.
  function show(box, options, message = "") {
    box.options = options;
    box.list.replaceChildren(...options.map((option, position) => element(
      "li", { role: "option", id: `${box.list.id}-${position}`, "aria-selected": "false" },
      ...option.content,
    )));
    box.list.hidden = !options.length;
    box.message.textContent = message;
    box.input.setAttribute("aria-expanded", String(options.length > 0));
    mark(box, -1);
  }

  function mark(box, position) {
    box.active = position;
    [...box.list.children].forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === position));
    });
    const item = box.list.children[position];
    if (item) {
      box.input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    } else {
      box.input.removeAttribute("aria-activedescendant");
    }
  }

  function choose(box, position) {
    const { choose: act } = box.options[position];
    show(box, []);
    act();
  }

  // The keys of a combobox: arrows go through the list and the field in a circle.
  function handleKey(box, event) {
    const places = box.options.length + 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!box.options.length) return answer(box);
      const step = event.key === "ArrowDown" ? 1 : -1;
      mark(box, (box.active + 1 + step + places) % places - 1);
    } else if (event.key === "Enter" && box.active >= 0) {
      event.preventDefault();
      choose(box, box.active);
    } else if (event.key === "Escape" && (box.options.length || box.message.textContent)) {
      event.preventDefault();
      show(box, []);
    }
    return undefined;
  }

  // The menu of the header closes on Escape and on a click outside.
  function closeMenu(event) {
    const menu = document.querySelector("header.site details[open]");
    if (!menu || (event.key || "Escape") !== "Escape") return;
    if (event.key) menu.querySelector("summary").focus();
    else if (menu.contains(event.target)) return;
    menu.open = false;
  }

  document.addEventListener("keydown", closeMenu);
  document.addEventListener("click", closeMenu);
  // A form that filters its own page, such as the browse page, is marked `data-live`.
  document.querySelectorAll("form[role=search]:not([data-live])").forEach(enhance);
  return { load, loadScript, element, counted, knownShares };
})();
