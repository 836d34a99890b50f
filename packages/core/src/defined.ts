// The one way to write members that may be absent.

/** `Members` without the members that are undefined: a member that may be undefined is optional. */
export type Defined<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/**
 * A copy of `members` without those that are undefined, to be spread or passed on where a member
 * may be absent but not undefined.
 *
 * @example
 * ```ts
 * import { defined } from "@opstate/core";
 *
 * defined({ id: "a", note: undefined }); // { id: "a" }
 * ```
 */
export function defined<const Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter((member) => member[1] !== undefined)) as Defined<Members>;
}
