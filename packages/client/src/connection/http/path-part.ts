// Ids as parts of a path.

/** Throws a TypeError for an id with half of a surrogate pair. */
export function checkId(id: string): void {
  pathPart(id);
}

/** Throws a TypeError for an id with half of a surrogate pair. */
export function pathPart(id: string): string {
  try {
    return encodeURIComponent(id);
  } catch {
    throw new TypeError(`The id ${JSON.stringify(id)} has half of a surrogate pair.`);
  }
}
