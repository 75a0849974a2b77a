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

// A page asks before it is left with values that no form has sent.
const isTyped = (field) => {
  const lines = (text) => text.replace(/\r\n?/g, "\n");
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((one) => one.selected !== one.defaultSelected);
  if (field.tagName === "TEXTAREA" || field.type === "text") return lines(field.value) !== lines(field.defaultValue);
  return false;
};
const valueForms = [...document.querySelectorAll("form.edit")];
// A form that came back with errors has values that are not staged.
const isRefused = valueForms.length > 0 && document.querySelector("[data-summary]") !== null;
let isSent = false;
for (const form of valueForms) form.addEventListener("submit", () => { isSent = true; });
addEventListener("pageshow", () => { isSent = false; });
addEventListener("beforeunload", (event) => {
  if (isSent) return;
  if (isRefused || valueForms.some((form) => [...form.elements].some(isTyped))) event.preventDefault();
});
