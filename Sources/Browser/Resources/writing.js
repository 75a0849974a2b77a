"use strict";

// The pages of a writable store work without this script. It adds keys, and reads a seed from a file instead of
// pasted text.

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

// The browser asks before the user leaves a page with input that was not sent.
const isTyped = (field) => {
  const lines = (text) => text.replace(/\r\n?/g, "\n");
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((one) => one.selected !== one.defaultSelected);
  if (field.tagName === "TEXTAREA" || field.type === "text" || field.type === "number" || field.type === "datetime-local") return lines(field.value) !== lines(field.defaultValue);
  return false;
};
const valueForms = [...document.querySelectorAll("form.edit")];
// The values of a form with errors are not staged.
const isRefused = valueForms.length > 0 && document.querySelector("[data-summary]") !== null;
let isSent = false;
for (const form of valueForms) form.addEventListener("submit", () => { isSent = true; });
addEventListener("pageshow", () => { isSent = false; });
addEventListener("beforeunload", (event) => {
  if (isSent) return;
  if (isRefused || valueForms.some((form) => [...form.elements].some(isTyped))) event.preventDefault();
});

// Objects of an ordered relationship can be dragged, moved with the arrow buttons, or given a number.
for (const list of document.querySelectorAll("[data-ordered]")) {
  let dragged = null;
  const items = [...list.children].filter((item) => item.querySelector("[data-place]"));
  const move = (item, place) => {
    const field = item.querySelector("[data-place]");
    for (const other of list.querySelectorAll("[data-place]")) other.value = "";
    field.value = place;
    item.querySelector("button[value=places]").click();
  };
  for (const item of items) {
    const field = item.querySelector("[data-place]");
    item.draggable = true;
    item.addEventListener("dragstart", (event) => {
      dragged = item;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", field.dataset.place);
    });
    item.addEventListener("dragend", () => {
      dragged = null;
      for (const other of items) other.classList.remove("drop-here");
    });
    item.addEventListener("dragover", (event) => {
      if (!dragged || dragged === item) return;
      event.preventDefault();
      item.classList.add("drop-here");
    });
    item.addEventListener("dragleave", () => item.classList.remove("drop-here"));
    item.addEventListener("drop", (event) => {
      if (!dragged || dragged === item) return;
      event.preventDefault();
      move(dragged, field.dataset.place);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      item.querySelector("button[value=places]").click();
    });
  }
}

// A number outside of its bounds is reported before the form is sent.
for (const field of document.querySelectorAll("[data-minimum], [data-maximum]")) {
  field.addEventListener("input", () => {
    const { minimum, maximum } = field.dataset;
    const number = Number(field.value);
    let problem = "";
    if (field.value.trim() !== "" && minimum !== undefined && number < Number(minimum)) problem = `Write at least ${minimum}.`;
    if (field.value.trim() !== "" && maximum !== undefined && number > Number(maximum)) problem = `Write at most ${maximum}.`;
    field.setCustomValidity(problem);
  });
}
