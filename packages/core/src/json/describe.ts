/** Values and texts as messages show them. */
import { isRecord } from "./container.ts";

/** A value in a few words, for messages: never its whole content. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `an array of length ${value.length}`;
      return isRecord(value) ? "an object" : Object.prototype.toString.call(value);
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default:
      return String(value);
  }
}

/** A text in quotes, cut to what a message can hold. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, 60));
}

/** A text, or the beginning of it in `limit` characters. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
