// Makes tables that compare papers sortable: each column heading becomes a button. A search field above
// a long table shows only the rows that contain its words.
"use strict";

const MANY_ROWS = 30;
const BROWSE = new URL("browse.html", document.currentScript.src);

for (const table of document.querySelectorAll(".compared table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const order = new Intl.Collator("en", { numeric: true });
  const textOf = (row, at) => row.cells[at].textContent.trim();
  // Numbers are compared within one unit: "7 B" < "32 B", and all of them before "64 GPUs".
  const compare = (a, b) => {
    const [one, other] = [a, b].map((text) => /^([\d,]+(?:\.\d+)?) ([^;]+)/.exec(text));
    if (!one || !other) return order.compare(a, b);
    const [x, y] = [one, other].map((found) => Number(found[1].replaceAll(",", "")));
    return order.compare(one[2], other[2]) || x - y;
  };

  // Empty cells come last in both directions.
  const sort = (at) => {
    const isRising = heads[at].getAttribute("aria-sort") !== "ascending";
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[at].setAttribute("aria-sort", isRising ? "ascending" : "descending");
    const sign = isRising ? 1 : -1;
    const rows = [...body.rows].sort((one, other) => {
      const [a, b] = [textOf(one, at), textOf(other, at)];
      return (a === "") - (b === "") || sign * compare(a, b);
    });
    body.append(...rows);
  };

  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(at));
    head.append(button);
  });

  if (body.rows.length > MANY_ROWS) {
    const field = document.createElement("input");
    field.type = "search";
    field.className = "filter";
    field.placeholder = "Show rows with …";
    field.setAttribute("aria-label", "Show the rows with these words");
    const none = fieldguide.element("p", { class: "note", role: "status" });
    let isReady = null;
    field.addEventListener("input", async () => {
      isReady = isReady || fieldguide.loadScript("search-engine.js");
      await isReady;
      const typed = field.value.trim();
      const words = fieldguide.fold(typed).split(/\s+/);
      const more = table.closest("figure")?.querySelector(".more");
      if (more) more.open = true;
      for (const row of body.rows) {
        const text = fieldguide.fold(row.textContent);
        row.hidden = !words.every((word) => text.includes(word));
      }
      const href = `${BROWSE}?q=${encodeURIComponent(typed)}`;
      const isEmpty = [...body.rows].every((row) => row.hidden);
      none.replaceChildren(...(isEmpty ? [
        `No row on this page has “${typed}”. `, fieldguide.element("a", { href }, "Search for it"),
      ] : []));
    });
    table.parentElement.before(field, none);
  }
}
