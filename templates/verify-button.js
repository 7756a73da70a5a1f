// The buttons “Verify this page” and “Verify this survey” below each page. verify.js and the evidence
// are loaded when one is pressed.
"use strict";
(() => {
  const root = document.currentScript.src.replace(/verify-button\.js.*$/, "");
  const up = document.currentScript.getAttribute("src").replace(/verify-button\.js.*$/, "");
  const footer = document.querySelector("footer.site");
  if (!footer) return;

  function made(tag, text, attributes = {}) {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    return element;
  }

  const load = (name) => new Promise((resolve, reject) => {
    const script = made("script", "", { src: up + name });
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(`${name} could not be loaded.`)));
    document.head.append(script);
  });
  let loaded = null;
  const evidence = () => (loaded = loaded || Promise.all([load("verify.js"), load("evidence.js")]));

  const box = made("section", "", { class: "verify", "aria-label": "Verify" });
  const page = made("button", "Verify this page", { type: "button" });
  const survey = made("button", "Verify this survey", { type: "button" });
  const status = made("p", "", { role: "status" });
  const list = made("ol", "", { class: "failures" });
  const label = made("label", "To check all pages and links, too, choose the folder of this survey: ");
  const folder = made("input", "", { type: "file", webkitdirectory: "", multiple: "" });
  label.append(folder);
  label.hidden = true;
  box.append(page, " ", survey, status, list, label);
  footer.append(box);

  function here(known) {
    const path = decodeURIComponent(location.href.split(/[?#]/)[0].slice(root.length)) || "index.html";
    return [path, `${path}.html`, `${path}index.html`].find((each) => known.has(each)) || path;
  }

  function show(start, { checked, failures }) {
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const what = Object.entries(checked).map(([name, number]) => `${number.toLocaleString("en")} ${name}`);
    const result = failures.length === 1 ? "1 failure" : `${failures.length} failures`;
    status.textContent = `Checked ${what.join(", ")} in ${seconds} s: ${result}.`;
    list.replaceChildren(...failures.map((each) =>
      made("li", `${each.file}: found ${each.found}; expected ${each.expected}.`)));
  }

  async function run(work) {
    status.textContent = "Verifying …";
    list.replaceChildren();
    try {
      await evidence();
      const start = performance.now();
      show(start, await work(window.fieldguideEvidence));
    } catch (error) {
      status.textContent = `The survey could not be verified: ${error.message}`;
    }
  }

  page.addEventListener("click", () => run((data) => {
    const known = new Set(data.files);
    return window.fieldguideVerify.verify(data, new Map([[here(known), document]]), known, false);
  }));
  survey.addEventListener("click", () => run((data) => {
    label.hidden = false;
    return window.fieldguideVerify.verify(data, new Map(), new Set(data.files), true);
  }));
  folder.addEventListener("change", () => run(async () => {
    const files = {};
    const chosen = [...folder.files].map((file) => [file.webkitRelativePath.replace(/^[^/]*\//, ""), file]);
    const editions = chosen.map(([path]) => path).filter((path) => path.endsWith("/papers.json"))
      .map((path) => path.replace("papers.json", ""));
    for (const [path, file] of chosen) {
      const isText = /\.(html|js|jsonl?|csv|md)$/.test(path) && !editions.some((each) => path.startsWith(each));
      files[path] = isText ? await file.text() : "";
    }
    return window.fieldguideVerify.verifyFolder(files);
  }));
})();
