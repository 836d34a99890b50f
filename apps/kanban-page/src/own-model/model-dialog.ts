// The dialog in which a person chooses a model of their own. Both pages open it; it is made without
// a framework, because it is loaded only then.

import type { OwnModelChoice, Provider } from "./own-model.ts";

const NOTE =
  "The agent then runs in this page. Your key stays in the page's memory and goes to the provider only; a reload forgets it.";

export async function openModelDialog(choice: OwnModelChoice): Promise<void> {
  const dialog = element("dialog", { className: "keys own-model" });
  dialog.setAttribute("aria-labelledby", "own-model-title");
  const title = element("h2", { id: "own-model-title", textContent: "Whose model answers?" });
  const note = element("p", { textContent: "Looking for models." });
  note.setAttribute("role", "status");
  const close = element("button", { type: "button", className: "button", textContent: "Cancel" });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(title, note, row(close));
  document.body.append(dialog);
  dialog.showModal();
  try {
    const providers = await choice.providers();
    note.textContent = NOTE;
    dialog.replaceChildren(title, note, formOf(providers, choice, dialog, close));
    dialog.querySelector("select")?.focus();
  } catch {
    note.textContent = "The list of providers cannot be read. Try again when the connection is back.";
  }
}

function formOf(
  providers: readonly Provider[],
  choice: OwnModelChoice,
  dialog: HTMLDialogElement,
  close: HTMLElement,
): HTMLFormElement {
  const { chosen } = choice.getState();
  const form = element("form", { method: "dialog" });
  const provider = element("select", { className: "field", id: "own-model-provider" });
  provider.append(...providers.map(({ name }) => element("option", { textContent: name })));
  const model = element("input", { className: "field", id: "own-model-name", required: true, autocomplete: "off" });
  model.setAttribute("list", "own-model-models");
  const models = element("datalist", { id: "own-model-models" });
  const key = element("input", { className: "field", id: "own-model-key", type: "password", autocomplete: "off" });
  const keyLabel = label("Your key", key);
  const use = element("button", { type: "submit", className: "button primary", textContent: "Use it" });
  const server = element("button", { type: "button", className: "button", textContent: "Use the server's agent" });
  const selected = (): Provider | undefined => providers[provider.selectedIndex];

  function show(): void {
    const now = selected();
    models.replaceChildren(...(now?.models ?? []).map((value) => element("option", { value })));
    model.value = now?.models[0] ?? "";
    key.required = now?.needsKey === true;
    keyLabel.hidden = !key.required;
  }
  provider.addEventListener("change", show);
  form.addEventListener("submit", () => {
    const now = selected();
    if (now) choice.choose({ provider: now, model: model.value.trim(), key: now.needsKey ? key.value.trim() : "" });
  });
  server.addEventListener("click", () => {
    choice.choose(undefined);
    dialog.close();
  });
  const fields = [label("Provider", provider), label("Model", model), models, keyLabel];
  form.append(...fields, row(use, ...(chosen ? [server] : []), close));
  show();
  return form;
}

function label(text: string, field: HTMLElement): HTMLElement {
  const shown = element("label", { textContent: text, htmlFor: field.id });
  const block = element("div", { className: "own-model-field" });
  block.append(shown, field);
  return block;
}

function row(...buttons: readonly HTMLElement[]): HTMLElement {
  const shown = element("div", { className: "row" });
  shown.append(...buttons);
  return shown;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
