/* Fieldguide serves this with each page; out/ does not hold it. */
"use strict";
(() => {
  const shown = document.currentScript.dataset.version;
  let stream = null;
  let board = null;

  const put = (parent, tag, text, name) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    if (name) made.className = name;
    parent.append(made);
    return made;
  };

  const list = (parent, faults) => {
    const items = put(parent, "ol");
    for (const fault of faults) {
      const item = put(items, "li", "", fault.severity);
      put(item, "code", fault.line ? `${fault.file}:${fault.line}` : fault.file);
      put(item, "p", `found ${fault.actual}`);
      put(item, "p", `expected ${fault.expected}`);
      if (fault.hint) put(item, "p", fault.hint, "hint");
    }
  };

  const show = (problem) => {
    if (board) board.remove();
    board = null;
    if (!problem) return;
    board = document.createElement("fieldguide-problem");
    const shadow = board.attachShadow({ mode: "open" });
    const sheet = put(shadow, "link");
    sheet.rel = "stylesheet";
    sheet.href = "/-/serve.css";
    const box = put(shadow, "section", "", `board ${problem.kind}`);
    box.setAttribute("role", "alert");
    const hide = put(box, "button", "Hide");
    hide.addEventListener("click", () => show(null));
    put(box, "h2", problem.title);
    if (problem.faults.length) list(box, problem.faults);
    else put(box, "pre", problem.text);
    document.documentElement.append(board);
  };

  const hear = (event) => {
    const news = JSON.parse(event.data);
    if (news.version !== shown) location.reload();
    else show(news.problem);
  };

  // A hidden page hears nothing: browsers open six connections to a server, for all its pages.
  const listen = () => {
    if (document.hidden) {
      if (stream) stream.close();
      stream = null;
    } else if (!stream) {
      stream = new EventSource("/-/news");
      stream.addEventListener("message", hear);
    }
  };

  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => { if (stream) stream.close(); stream = null; });
  addEventListener("pageshow", listen);
})();
