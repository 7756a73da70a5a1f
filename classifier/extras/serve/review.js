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
  if (!found.id) part("counts").textContent += "; nothing is left to review";
  if (!found.id) return;
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
    element("dt", "filed under"),
    described(element("dd", `${found.primary} (${found.status})`), found.defined),
    ...Object.entries(found.labels).flatMap(
      ([facet, labels]) => [element("dt", facet), element("dd", labels || "–")]),
  );
  part("doubt").textContent = found.doubt;
  part("category").replaceChildren(...found.categories.map((category) => {
    const option = element("option", category.name);
    option.value = category.id;
    option.dataset.topics = category.topics;
    option.title = category.defined;
    return option;
  }));
  part("answers").replaceChildren(part("ok"), ...found.choices.map((choice, place) => {
    const button = element("button", "");
    const key = choice.id === found.outside ? "x" : String(place + 1);
    button.dataset.key = key;
    button.append(element("kbd", key), ` ${choice.name} (${choice.chance} %)`);
    button.addEventListener("click", () => give({ review_topics: choice.topics }));
    return described(button, choice.defined);
  }));
  part("exclude").dataset.key = found.outside ? "" : "x";
  part("note").value = "";
  part("title").focus();
}

function described(made, definition) {
  made.title = definition;
  if (definition) made.append(element("small", definition));
  return made;
}

function give(cells) {
  const note = part("note").value.trim();
  ask("answer", { id: paper.id, cells: note ? { note, ...cells } : cells });
}

part("ok").addEventListener("click", () => give({ verdict: "ok" }));
part("file").addEventListener("click", () => give({ review_topics: part("category").selectedOptions[0].dataset.topics }));
part("add").addEventListener("click", () => give({ review_topics: `add ${part("category").value}` }));
part("skip").addEventListener("click", () => ask("skip", { id: paper.id }));
part("undo").addEventListener("click", () => ask("undo", {}));
part("apply").addEventListener("click", () => ask("apply", {}));
part("exclude").addEventListener("click", () => {
  const exclude = part("note").value.trim();
  if (exclude) return ask("answer", { id: paper.id, cells: { exclude } });
  tell("Write first why it does not belong.", true);
  part("note").focus();
});
part("build").addEventListener("click", () => {
  tell("Building …", false);
  ask("build", {});
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("select, input")) return;
  const button = document.querySelector(`main:not([hidden]) [data-key="${CSS.escape(event.key)}"], footer [data-key="${CSS.escape(event.key)}"]`);
  if (button) { event.preventDefault(); button.click(); }
});
ask("paper");
