/**
 * The type that messages name an update by. A value without a type is a replacement. Runs no
 * getter.
 */
export function typeOf(update: unknown): string {
  const type: unknown = Object.getOwnPropertyDescriptor(Object(update), "type")?.value;
  return typeof type === "string" ? type : "$replace";
}
