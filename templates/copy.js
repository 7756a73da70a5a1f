// Adds a button that copies a citation next to each citation.
"use strict";

document.querySelectorAll("pre.cite").forEach((cite) => {
  const button = fieldguide.element("button", { type: "button", class: "copy" }, "Copy");
  const message = fieldguide.element("span", { role: "status", class: "unseen" });

  function say(done, spoken) {
    button.textContent = done;
    message.textContent = spoken;
  }

  // If the browser does not let the page copy, the text is selected so that the reader can copy it.
  async function copy() {
    try {
      await navigator.clipboard.writeText(cite.textContent);
      say("Copied", "Copied to the clipboard");
    } catch {
      window.getSelection().selectAllChildren(cite);
      say("Selected", "Selected: now copy it");
    }
  }

  button.addEventListener("click", copy);
  cite.after(button, message);
});
