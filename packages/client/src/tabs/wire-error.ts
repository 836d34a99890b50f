// Errors on their way between tabs.

export interface WireError {
  readonly name: string;
  readonly message: string;
  /** Its other members that are text, numbers or flags: a code, a status. */
  readonly members: Readonly<Record<string, string | number | boolean>>;
}

export function writeError(error: Error): WireError {
  const members: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(error))
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") members[name] = value;
  return { name: error.name, message: error.message, members };
}

export function readError({ name, message, members }: WireError): Error {
  return Object.assign(new Error(message), members, { name });
}
