// Puts a button beside what is there to be cited, which copies it.
"use strict";

document.querySelectorAll("pre.cite").forEach((cite) => {
  const button = fieldguide.element("button", { type: "button", class: "copy" }, "Copy");
  const message = fieldguide.element("span", { role: "status", class: "unseen" });

  function say(done, spoken) {
    button.textContent = done;
    message.textContent = spoken;
  }

  // Where a browser lets a page copy nothing, the text is selected for the reader to copy.
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
