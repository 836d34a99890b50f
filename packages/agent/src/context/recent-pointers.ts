// What was touched lately: the JSON Pointers of patches, where those values are now.
//
//   v7  set /cards/4/title      an item is added above:  /cards/5/title
//   v8  added /cards/0                                   /cards/0

import { formatPointer, parsePointer, type Patch, type PatchOperation } from "@opstate/core/json-patch";

const INDEX = /^(?:0|[1-9]\d*)$/;

type Tokens = readonly string[];

/**
 * The pointers of the values that patches wrote, the last one first, at most `limit`; not of the
 * whole state. `patches` are in their order. Where a record has numbers as keys, a pointer into it
 * may be wrong: it names what to show first, and decides nothing.
 */
export function recentPointers(patches: readonly Patch[], limit: number): readonly string[] {
  let pointers: Tokens[] = [];
  for (const operation of patches.flat()) {
    const path = parsePointer(operation.path);
    pointers = pointers.flatMap((pointer) => shifted(pointer, operation, path));
    if (operation.op !== "remove" && operation.op !== "test" && path.length > 0) pointers.push(path);
  }
  return [...new Set(pointers.toReversed().map(formatPointer))].slice(0, limit);
}

/** Where the value is after the operation; nowhere when the operation removed it. */
function shifted(pointer: Tokens, operation: PatchOperation, path: Tokens): readonly Tokens[] {
  switch (operation.op) {
    case "add":
    case "copy":
      return [afterAdd(pointer, path)];
    case "remove":
      return afterRemove(pointer, path);
    case "move": {
      const from = parsePointer(operation.from);
      if (isUnder(pointer, from)) return [[...path, ...pointer.slice(from.length)]];
      return afterRemove(pointer, from).map((left) => afterAdd(left, path));
    }
    default:
      return [pointer];
  }
}

function afterAdd(pointer: Tokens, path: Tokens): Tokens {
  const index = sameList(pointer, path);
  return index === undefined || index < Number(path.at(-1)) ? pointer : withIndex(pointer, path, index + 1);
}

function afterRemove(pointer: Tokens, path: Tokens): readonly Tokens[] {
  if (isUnder(pointer, path)) return [];
  const index = sameList(pointer, path);
  return [index === undefined || index < Number(path.at(-1)) ? pointer : withIndex(pointer, path, index - 1)];
}

/** The pointer's index in the list that `path` names an item of. */
function sameList(pointer: Tokens, path: Tokens): number | undefined {
  const depth = path.length - 1;
  const [own, other] = [pointer[depth], path[depth]];
  if (own === undefined || other === undefined || !INDEX.test(own) || !INDEX.test(other)) return undefined;
  return isUnder(pointer, path.slice(0, -1)) ? Number(own) : undefined;
}

function withIndex(pointer: Tokens, path: Tokens, index: number): Tokens {
  return pointer.map((token, depth) => (depth === path.length - 1 ? String(index) : token));
}

function isUnder(pointer: Tokens, path: Tokens): boolean {
  return path.every((token, depth) => pointer[depth] === token);
}
