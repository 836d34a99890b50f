// Reads the model's input: its role, the topic, the round, and who said what.

import { AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";

export type Role = "optimist" | "skeptic" | "moderator" | "fact checker";

export interface Said {
  readonly by: "optimist" | "skeptic" | "moderator" | "person";
  readonly text: string;
}

export interface Brief {
  readonly role: Role;
  readonly topic: string;
  readonly round: number;
  readonly maxRounds: number;
  readonly said: readonly Said[];
  /** The last message. */
  readonly asked: string;
}

const ROLES: ReadonlyMap<string, Role> = new Map(
  (["optimist", "skeptic", "moderator", "fact checker"] as const).map((role) => [role, role]),
);
const VOICES: ReadonlyMap<string, Said["by"]> = new Map([
  ["Optimist", "optimist"],
  ["Skeptic", "skeptic"],
  ["Moderator", "moderator"],
  ["Someone who watches", "person"],
]);

export function readBrief(messages: readonly BaseMessage[]): Brief {
  const system = messages
    .filter((message) => SystemMessage.isInstance(message))
    .map((message) => message.text)
    .join("\n");
  const role = ROLES.get(/^Role: (.+)$/m.exec(system)?.[1] ?? "") ?? "moderator";
  const [, round = "1", maxRounds = "1"] = /^Round: (\d+) of (\d+)$/m.exec(system) ?? [];
  return {
    role,
    topic: quoted(/^Topic: (".*")$/m.exec(system)?.[1]),
    round: Number(round),
    maxRounds: Number(maxRounds),
    said: messages.flatMap((message) => heard(message, role)),
    asked: messages.at(-1)?.text ?? "",
  };
}

function heard(message: BaseMessage, role: Role): Said[] {
  if (AIMessage.isInstance(message)) return role === "fact checker" ? [] : [{ by: role, text: message.text }];
  const [, voice = "", text = ""] = /^([\w ]+): (.*)$/s.exec(message.text) ?? [];
  const by = VOICES.get(voice);
  return by === undefined || SystemMessage.isInstance(message) ? [] : [{ by, text }];
}

function quoted(json: string | undefined): string {
  try {
    const value: unknown = JSON.parse(json ?? "");
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
