// Ids for messages that come without one. A reducer draws no random number and may run several
// times for one write, so the id follows from the content; said again, the same words get a number.
// A position would not do: it is another one after a removal or a rebase.

/**
 * `m-<hash>` of the message, or `m-<hash>-2`, `-3`... when it is taken; the new id is taken from
 * then on.
 */
export function mintId(message: object, taken: Set<string>): string {
  const stem = `m-${hash(JSON.stringify(message))}`;
  let id = stem;
  for (let count = 2; taken.has(id); count++) id = `${stem}-${count}`;
  taken.add(id);
  return id;
}

/** Two rounds of FNV-1a, 64 bits: a collision costs no more than a number behind the id. */
function hash(text: string): string {
  let one = 0x811c9dc5;
  let two = 0xcbf29ce4;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ (unit + index), 0x01000193);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36);
}
