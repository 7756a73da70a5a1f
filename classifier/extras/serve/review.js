"use strict";

const token = new URLSearchParams(location.search).get("token") || "";
const part = (id) => document.getElementById(id);
let paper = {};
let busy = false;

async function ask(path, content) {
  if (busy) return;
  busy = true;
  const headers = { "X-Fieldguide-Token": token, "Content-Type": "application/json" };
  const body = content && JSON.stringify(content);
  try {
    const answer = await fetch(`/-/${path}`, { method: content ? "POST" : "GET", headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    show(await answer.json());
  } catch (error) {
    tell(`Not written: ${error.message}`, true);
  } finally {
    busy = false;
  }
}

function tell(text, isProblem) {
  part("changed").textContent = text;
  part("changed").className = isProblem ? "problem" : "";
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function show(found) {
  if (found.problem) return tell(found.problem, true);
  if (found.changed) tell(found.changed.join(" · "), false);
  paper = found;
  part("counts").textContent = `${found.answered} answered, ${found.left} left`;
  part("title").closest("main").hidden = !found.id;
  if (!found.id) return tell(`${part("changed").textContent} Nothing is left to review.`, false);
  part("title").textContent = found.title;
  part("about").textContent = found.about;
  part("abstract").replaceChildren(...found.abstract.map(([text, cue]) => {
    if (!cue) return document.createTextNode(text);
    const marked = element("mark", text);
    marked.title = `a cue of ${cue}`;
    return marked;
  }));
  if (!found.abstract.length) part("abstract").textContent = "No abstract: judge by the title.";
  part("labels").replaceChildren(
    element("dt", "filed under"), element("dd", `${found.primary} (${found.status})`),
    ...Object.entries(found.labels).flatMap(
      ([facet, labels]) => [element("dt", facet), element("dd", labels || "–")]),
  );
  part("why").textContent = found.why;
  const others = found.choices.map((choice, place) => {
    const button = element("button", "");
    button.dataset.key = String(place + 1);
    button.append(element("kbd", place + 1), ` ${choice.name} (${choice.chance} %)`);
    button.addEventListener("click", () => give({ review_topics: choice.id }));
    return button;
  });
  part("answers").replaceChildren(part("ok"), ...others);
  part("category").replaceChildren(...found.categories.map((category) => {
    const option = element("option", category.name);
    option.value = category.id;
    return option;
  }));
  part("title").focus();
}

const give = (cells) => ask("answer", { id: paper.id, cells });

part("ok").addEventListener("click", () => give({ verdict: "ok" }));
part("file").addEventListener("click", () => give({ review_topics: part("category").value }));
part("add").addEventListener("click", () => give({ review_topics: `add ${part("category").value}` }));
part("skip").addEventListener("click", () => ask("skip", { id: paper.id }));
part("undo").addEventListener("click", () => ask("undo", {}));
part("apply").addEventListener("click", () => ask("apply", {}));
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("select, input")) return;
  const button = document.querySelector(`main:not([hidden]) [data-key="${CSS.escape(event.key)}"], footer [data-key="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});
ask("paper");
