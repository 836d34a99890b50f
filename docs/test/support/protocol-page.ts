// Reads the tables of "The protocol", and the shapes in them: `{ version, state, parent? }`.

/** The members of an object; whether each must be there. */
export type Shape = ReadonlyMap<string, boolean>;

/** The rows of all tables under a heading, without the signs around a code that fills its cell. */
export function pageRows(page: string, heading: string): readonly (readonly string[])[] {
  const [, rest = ""] = page.split(new RegExp(`^## ${heading}$`, "m"));
  const [section = ""] = rest.split(/^## /m);
  const tables = section.split(/\n\n/).filter((part) => part.startsWith("|"));
  return tables.flatMap((table) =>
    table
      .trim()
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim().replace(/^`([^`{]*)`$/, "$1")),
      ),
  );
}

/** The first shape in a text. */
export function shapeOf(text: string): Shape {
  const [, members = ""] = /\{ (.*?) ?\}/.exec(text) ?? [];
  const names = members.split(", ").filter((name) => name !== "");
  return new Map(names.map((name) => [name.replace("?", ""), !name.endsWith("?")]));
}

/** What is wrong with an object, in words; undefined when it has the members of its shape. */
export function membersFault(value: unknown, shape: Shape): string | undefined {
  if (typeof value !== "object" || value === null) return `is ${JSON.stringify(value)}, not an object`;
  const unknown = Object.keys(value).find((name) => !shape.has(name));
  if (unknown !== undefined) return `has "${unknown}", which the page does not name: ${JSON.stringify(value)}`;
  const missing = [...shape].find(([name, isRequired]) => isRequired && !Object.hasOwn(value, name));
  return missing && `lacks "${missing[0]}": ${JSON.stringify(value)}`;
}
