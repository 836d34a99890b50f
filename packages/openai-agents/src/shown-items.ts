// The items that a call shows the model and no history keeps. The SDK stores what a filter gives in
// a run's session; so a session is given to a run through `keptSession`, and what another one kept
// is left out of the next call.

import { user, type AgentInputItem, type Session } from "@openai/agents";

export class ShownItems {
  readonly #isUsual: RegExp;
  /** Texts of this run, which a template may have worded. */
  readonly #texts = new Set<string>();

  /** `name`: the state's name for the model. */
  constructor(name: string) {
    const escaped = name.replaceAll(/[^\w ]/g, "\\$&");
    this.#isUsual = new RegExp(`^From the application(?:, not from the user)?:\\n<${escaped}[ -]`);
  }

  of(text: string): readonly AgentInputItem[] {
    if (text === "") return [];
    this.#texts.add(text);
    return [user(text)];
  }

  has(item: AgentInputItem): boolean {
    if (!("role" in item) || item.role !== "user") return false;
    const text =
      typeof item.content === "string"
        ? item.content
        : item.content.map((part) => (part.type === "input_text" ? part.text : "")).join("");
    return this.#texts.has(text) || this.#isUsual.test(text);
  }

  /** The session, without these items. */
  keptSession<Kept extends Session>(session: Kept): Kept {
    return new Proxy(session, {
      get: (target, key) => {
        if (key === "addItems")
          return (items: AgentInputItem[]) => target.addItems(items.filter((item) => !this.has(item)));
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
