// An id as part of a path.

/** Throws a TypeError for what no path can carry. */
export function pathPart(id: string): string {
  try {
    return encodeURIComponent(id);
  } catch {
    throw new TypeError(
      `${JSON.stringify(id)} is no id of a thread or proposal: it has half of a surrogate pair. Ids are well-formed text.`,
    );
  }
}
