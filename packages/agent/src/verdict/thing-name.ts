// The names of an item in a state: its id, and the label that people know it by.

/** `cardId` of a card, `id` of anything. The first one is its own. */
export function idOf(value: object): string | undefined {
  const found = Object.entries(value).find(
    ([name, id]) => /^(?:id|key)$|Id$|_id$/.test(name) && (typeof id === "string" || typeof id === "number"),
  );
  return found === undefined ? undefined : String(found[1]);
}

/** The first of `title`, `name`, `label` and `text` that is not empty. */
export function labelOf(value: object): string | undefined {
  const found = Object.entries(value).find(
    ([name, text]) => /^(?:title|name|label|text)$/.test(name) && typeof text === "string" && text !== "",
  );
  return found === undefined ? undefined : String(found[1]);
}
