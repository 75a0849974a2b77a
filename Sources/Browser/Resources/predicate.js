"use strict";

// Offers completions at the cursor of the predicate: a combobox as the ARIA practices describe it.

class PredicateBox {
  constructor(input) {
    this.input = input;
    this.options = [];
    this.selected = -1;
    this.asked = 0;
    this.list = document.createElement("ul");
    this.list.className = "options";
    this.list.id = "where-options";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Completions");
    this.list.hidden = true;
    input.after(this.list);
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.list.id,
    })) input.setAttribute(name, value);
    input.addEventListener("input", () => this.askSoon());
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => {
      // The text box keeps the focus.
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.take([...this.list.children].indexOf(option));
    });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  askSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), 120);
  }

  async ask() {
    const number = ++this.asked;
    this.request?.abort();
    this.request = new AbortController();
    const items = new URLSearchParams({ text: this.input.value, cursor: this.input.selectionStart ?? this.input.value.length });
    try {
      const answer = await fetch(`${this.input.dataset.completions}?${items}`, { signal: this.request.signal });
      if (!answer.ok) throw new Error();
      const { completions } = await answer.json();
      // An answer to an earlier text is ignored.
      if (number === this.asked && document.activeElement === this.input) this.show(completions);
    } catch {
      if (number === this.asked) this.close();
    }
  }

  show(options) {
    this.options = options;
    this.selected = -1;
    this.list.replaceChildren(
      ...options.map((option, index) => {
        const item = document.createElement("li");
        item.id = `where-option-${index}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        const [text, detail] = [document.createElement("bdi"), document.createElement("bdi")];
        text.textContent = option.text;
        detail.textContent = option.detail || option.kind;
        item.append(text, detail);
        return item;
      }),
    );
    this.list.hidden = options.length === 0;
    this.input.setAttribute("aria-expanded", String(options.length > 0));
    this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.show([]);
  }

  select(index) {
    const items = [...this.list.children];
    items[this.selected]?.setAttribute("aria-selected", "false");
    this.selected = (index + items.length) % items.length;
    const item = items[this.selected];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", item.id);
  }

  take(index) {
    const { text, start, end } = this.options[index];
    const value = this.input.value;
    const isWord = /\w$/.test(text) && !/^\s/.test(value.slice(end));
    const inserted = text + (isWord ? " " : "");
    this.input.value = value.slice(0, start) + inserted + value.slice(end);
    this.input.setSelectionRange(start + inserted.length, start + inserted.length);
    this.close();
    this.askSoon();
  }

  press(event) {
    if (event.key === " " && event.ctrlKey || (event.key === "ArrowDown" && !this.isOpen)) {
      event.preventDefault();
      this.ask();
      return;
    }
    if (!this.isOpen) return;
    const last = this.options.length - 1;
    const taken = this.selected >= 0 && (event.key === "Enter" || event.key === "Tab");
    if (event.key === "ArrowDown") this.select(this.selected + 1);
    else if (event.key === "ArrowUp") this.select(this.selected < 0 ? last : this.selected - 1);
    else if (taken) this.take(this.selected);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
}

for (const input of document.querySelectorAll("[data-completions]")) new PredicateBox(input);
