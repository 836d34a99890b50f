/** A law was broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export function insist(holds: boolean, law: () => string): asserts holds {
  if (!holds) throw new Violation(law());
}
