// Ids for messages that come without one. A reducer uses no random numbers and may run several
// times for one write, so the id is a hash of the content. A message with the same content as an
// earlier one gets a number behind it. A position would not do: a removal or a rebase changes it.

/**
 * `m-<hash>` of the message, or `m-<hash>-2`, `-3`... when that id is used. The new id
 * is added to `usedIds`.
 */
export function mintId(message: object, usedIds: Set<string>): string {
  const stem = `m-${hash(JSON.stringify(message))}`;
  let id = stem;
  for (let count = 2; usedIds.has(id); count++) id = `${stem}-${count}`;
  usedIds.add(id);
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
