"use strict";

// Pages of a store that is written work without this: it adds keys, and files in place of pasting.

document.querySelector("[data-summary]")?.focus();

for (const input of document.querySelectorAll("[data-fills]")) {
  input.addEventListener("change", async () => {
    const [file] = input.files;
    const box = document.getElementById(input.dataset.fills);
    if (!file) return;
    try {
      box.value = await file.text();
      box.setCustomValidity("");
    } catch {
      box.setCustomValidity("The file cannot be read; choose another one.");
      box.reportValidity();
    }
  });
}

Object.assign(actions, {
  e: () => follow("[data-edit]"),
  r: () => follow("[data-review]"),
  z: () => follow("[data-undo]"),
  y: () => follow("[data-redo]"),
});
