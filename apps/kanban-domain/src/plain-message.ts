// A refusal's message for a person: what a JSON Pointer leads to is named by its last word.

/**
 * @example
 * ```ts
 * import { plainMessage } from "@opstate/kanban-domain";
 *
 * plainMessage("/priority must be at most 4, got 9."); // the priority must be at most 4, got 9.
 * ```
 */
export function plainMessage(message: string): string {
  return message.replaceAll(
    /(^|(?<=[\s(]))\/(?:[\w~-]+\/)*([A-Za-z]\w*)/g,
    (_match, _before, name: string) => `the ${spaced(name)}`,
  );
}

/** "fromColumn" is the "from column". */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
