import { isContainer } from "../json/container.ts";

/**
 * The type that messages name an update by. A value without a type is a replacement. Runs no
 * getter.
 */
export function typeOf(update: unknown): string {
  const type: unknown = isContainer(update) ? Object.getOwnPropertyDescriptor(update, "type")?.value : undefined;
  return typeof type === "string" ? type : "$replace";
}
