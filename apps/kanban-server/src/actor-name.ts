// An actor's name in a sentence.

export function actorName(kind: string, id: string): string {
  if (kind === "user") return id;
  return kind === id ? `the ${kind}` : `the ${kind} ${id}`;
}
