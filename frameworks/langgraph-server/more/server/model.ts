// In place of a provider's model: does what the last message of the person says, a line with each
// call.
//
//   add Buy milk                     a call of the tool `add`
//   add Buy milk when From Ada       the same, as soon as there is a card "From Ada"
//   remove Buy milk                  a call of `remove`, with that card's id
//   tell                             ends with what it was shown beside the conversation

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { launch } from "./boards.ts";

class ScriptedModel extends BaseChatModel {
  _llmType() {
    return "scripted";
  }

  override bindTools() {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    // The middleware's own message is the last one, and not in the history.
    const [history, shown] = [messages.slice(0, -1), messages.at(-1)?.text ?? ""];
    const asked = history.findLastIndex((message) => HumanMessage.isInstance(message));
    const steps = history.slice(asked).filter((message) => AIMessage.isInstance(message)).length;
    const line = history[asked]?.text.split("; ")[steps] ?? "";
    const [, verb, what = "", awaited] = /^(\w+) ?(.*?)(?: when (.*))?$/.exec(line) ?? [];
    if (awaited !== undefined) await card(awaited);
    if (verb === "add") return call("add", { title: what });
    if (verb === "remove") return call("remove", { id: (await card(what)).id });
    return said(new AIMessage(verb === "tell" ? shown : "Done"));
  }
}

const call = (name: string, args: object): ChatResult =>
  said(new AIMessage({ content: "", tool_calls: [{ name, args: { ...args }, id: crypto.randomUUID() }] }));

const said = (message: AIMessage): ChatResult => ({ generations: [{ message, text: message.text }] });

/** The card with a title, as soon as there is one. */
function card(title: string): Promise<{ readonly id: string }> {
  return new Promise((resolve) => {
    const look = () => {
      const found = launch.getState().cards.find((each) => each.title === title);
      if (found === undefined) return;
      unsubscribe();
      resolve(found);
    };
    const unsubscribe = launch.subscribe(look);
    look();
  });
}

export const model = new ScriptedModel({});
