// Reads a declaration from text, with its line numbers. YAML 1.2 includes JSON, so one parser reads
// both.
//
// The only file that imports the `yaml` package. Nothing that the root exports imports this file.

import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { copyJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { OpstateError } from "../error.ts";
import type { DeclarationSource } from "./declaration.ts";

/** Throws `OpstateError` (`invalid_definition`) for text that is neither YAML nor JSON. */
export function readText(text: string): DeclarationSource {
  const lines = new LineCounter();
  const document = attempt(() => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const [error] = document.errors;
  if (error !== undefined) throw invalid(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  const value: unknown = attempt(() => document.toJS());
  const copy = copyJson(value, DEFAULT_LIMITS);
  if (!copy.ok) throw invalid(copy.fault.message);
  return { value: copy.value, lineOf: (path) => lineOf(document.contents, path, lines) };
}

/** The parser throws for endless nesting, an unknown alias, and too many aliases. */
function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause));
  }
}

function lineOf(root: unknown, path: readonly (string | number)[], lines: LineCounter): number {
  let at = startOf(root) ?? 0;
  let node = root;
  for (const step of path) {
    const child: unknown = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === step)
      : isSeq(node)
        ? node.items[Number(step)]
        : undefined;
    if (child === undefined) break;
    at = startOf(isPair(child) ? child.key : child) ?? at;
    node = isPair(child) ? child.value : child;
  }
  return lines.linePos(at).line;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function invalid(message: string): OpstateError {
  return new OpstateError("invalid_definition", `The declaration cannot be read:\n- ${message}`);
}
