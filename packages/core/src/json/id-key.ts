// Which member of an object is its id.

import { isObject } from "./container.ts";

const ID = /^(id|key)$/;
const LIKE_AN_ID = /(Id|_id)$/;

/** The key under which an object has its id: "id" or "key", else the first that ends like one. */
export function idKeyOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value).filter((key) => ["string", "number"].includes(typeof value[key]));
  return keys.find((key) => ID.test(key)) ?? keys.find((key) => LIKE_AN_ID.test(key));
}
