/**
 * Keys that other programs take as orders, and where they are refused:
 *
 *   __proto__              anywhere      a careless copy of it swaps a prototype
 *   lc beside type         anywhere      LangChain revives the object as a class instance
 *   __overwrite__          at the root   LangGraph bypasses every reducer with it
 *
 * A problem is worded to follow the path of its key: `/cards/0/lc is not allowed beside "type"...`.
 */

export const PROTO = "__proto__";
export const OVERWRITE = "__overwrite__";

export const PROTO_PROBLEM = "is a key that is not allowed";
export const OVERWRITE_PROBLEM = "is a key that is not allowed at the root";
export const REVIVED_PROBLEM = 'is not allowed beside "type": LangChain would revive the object as a class instance';

/** Whether LangChain revives an object with these members as an instance of a class. */
export function isRevived(lc: unknown, type: unknown): boolean {
  return typeof lc === "number" && typeof type === "string";
}
