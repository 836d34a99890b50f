import { describe, expect, it } from "vitest";
import { type Export, exportsOf, findUnused } from "../checks/check-users.ts";

const REACT = "@opstate/react";
const entry = `
export { createAgentStateContext } from "./agent-state-context.tsx";
export { useSync } from "./sync.ts";
export { useHistory } from "./history.ts";
export type { History } from "./history.ts";
export { undoOutcome, type UndoOutcome } from "@opstate/core/thread";
`;
const user = `
import { createAgentStateContext, useSync } from "@opstate/react";
import { undoOutcome } from "@opstate/react";
export const Board = createAgentStateContext(board);
const log = Board.useHistory();
`;

const app = (text: string) => [{ file: "apps/planted/src/main.tsx", text }];
const one = (name: string, isPassedOn = false): readonly Export[] => [{ entry: REACT, name, isPassedOn }];
const isUsed = (name: string, text: string, isPassedOn = false) =>
  findUnused(one(name, isPassedOn), app(text)).length === 0;

describe("what an entry exports", () => {
  it("is its values, under the names that users import", () => {
    const text = `${entry} export { Log as Journal } from "./log.ts"; export function open() {} export class Tab {}`;
    expect(exportsOf(REACT, text).map(({ name }) => name)).toEqual([
      ...["createAgentStateContext", "useSync", "useHistory", "undoOutcome", "Journal", "open", "Tab"],
    ]);
  });

  it("says which names come from another package", () => {
    const passedOn = exportsOf(REACT, entry).filter(({ isPassedOn }) => isPassedOn);
    expect(passedOn.map(({ name }) => name)).toEqual(["undoOutcome"]);
  });

  it("must be listed by name", () => {
    expect(() => exportsOf(REACT, `export * from "./all.ts";`)).toThrow('@opstate/react exports by "*"');
  });
});

describe("an export", () => {
  it("that no app uses is reported", () => {
    const exports = exportsOf(REACT, `${entry} export { usePlanted } from "./planted.ts";`);
    expect(findUnused(exports, app(user))).toEqual(["@opstate/react: no demo uses usePlanted"]);
    expect(findUnused(exports, [])).toHaveLength(exports.length);
  });

  it("is used where it is imported, on several lines and under another name too", () => {
    expect(isUsed("useSync", `import {\n  type Sync,\n  useSync as useStatus,\n} from "@opstate/react";`)).toBe(true);
    expect(isUsed("Log", `<script lang="ts">\n  import { Log } from "@opstate/react";\n</script>`)).toBe(true);
  });

  it("is not used by a type, a comment, another package's name, or a word in the text", () => {
    for (const text of [
      `import type { History } from "@opstate/react";`,
      `import { type History } from "@opstate/react";`,
      `// import { History } from "@opstate/react";`,
      `<!-- import { History } from "@opstate/react"; -->`,
      `import { History } from "./history.ts";`,
      `const History = 1;`,
    ])
      expect(isUsed("History", text), text).toBe(false);
  });

  it("is used where a context's member of its name is", () => {
    const context = `import { createAgentStateContext } from "@opstate/react";\n`;
    expect(isUsed("useHistory", `${context}const Board = createAgentStateContext(board); Board.useHistory();`)).toBe(
      true,
    );
    expect(isUsed("History", `${context}const board = createAgentStateContext(def); board.history();`)).toBe(true);
    expect(isUsed("useHistory", `${context}export const { useHistory } = createAgentStateContext(board);`)).toBe(true);
    expect(isUsed("useHistory", `${context}const Board = createAgentStateContext(board); other.useHistory();`)).toBe(
      false,
    );
  });

  it("is used where a context of another file is, and not where a name is another thing", () => {
    const context = {
      file: "apps/planted/src/context.ts",
      text: `export const Board = createAgentStateContext(board);`,
    };
    const using = (text: string) => findUnused(one("useUndo"), [context, ...app(text)]).length === 0;
    expect(using(`import { Board } from "./context.ts";\nBoard.useUndo();`)).toBe(true);
    expect(using(`import { Board } from "./context.ts";\nconst { useUndo } = Board;`)).toBe(true);
    expect(using(`Board.useUndo();`)).toBe(false);
  });

  it("that a binding passes on is used where it is imported from any package of ours", () => {
    const text = `import { undoOutcome } from "@opstate/core/thread";`;
    expect(isUsed("undoOutcome", text, true)).toBe(true);
    expect(isUsed("undoOutcome", text)).toBe(false);
    expect(isUsed("undoOutcome", `import { undoOutcome } from "another";`, true)).toBe(false);
  });
});
