// The end of a recipe: drafts become plain values, and the tree of what was touched is made on the way.
//
// Only what was drafted is visited. A container of the base is shared when nothing in it changed; what the recipe put in is copied as a
// whole, for it belongs to the caller.

import { ArrayNode } from "./draft-array.ts";
import { isContainer, nodeOf, type Node, type Recipe } from "./draft-node.ts";
import { ObjectNode } from "./draft-object.ts";
import { Plain } from "./draft-plain.ts";
import type { Change, Container, Settled, Splice } from "./draft-touched.ts";

type Outcome = Exclude<Node["outcome"], "open" | undefined>;

export function settle(recipe: Recipe, made: object[] | undefined): Settled {
  const settling = new Settling(recipe, made);
  return { root: settling.node(recipe.root).touched, made, aliased: settling.aliased };
}

class Settling extends Plain {
  readonly #recipe: Recipe;
  aliased = false;

  constructor(recipe: Recipe, made: object[] | undefined) {
    super(made);
    this.#recipe = recipe;
  }

  node(node: Node): Outcome {
    if (node.outcome === "open") throw this.fault("must be JSON, got a value that contains itself");
    if (node.outcome !== undefined) {
      this.aliased ||= node.outcome.value !== node.base;
      return node.outcome;
    }
    node.outcome = "open";
    let touched: Change | undefined;
    if (!node.fresh) touched = node instanceof ArrayNode ? this.#array(node) : node instanceof ObjectNode ? this.#object(node) : undefined;
    const value = node.fresh ? this.container(node.latest) : (touched?.value ?? node.base);
    node.outcome = { value, touched };
    return node.outcome;
  }

  protected override resolve(value: object): object | undefined {
    const node = nodeOf(value) ?? this.#recipe.given(value);
    if (node === undefined) return undefined;
    if (node.recipe !== this.#recipe) throw this.fault("must be JSON, got a draft of another recipe");
    return this.node(node).value;
  }

  #object({ base, children, written, copy }: ObjectNode): Change | undefined {
    const fresh: string[] = [];
    const touched: Change[] = [];
    let value = copy;
    if (children !== undefined) {
      for (const [key, child] of children) {
        if (value !== undefined && value[key] !== child.base) continue;
        const change = this.#child(key, key, child);
        if (change === undefined) continue;
        (value ??= { ...base })[key] = change.value;
        touched.push(change);
      }
    }
    if (value === undefined) return undefined;
    if (written !== undefined) {
      for (const key of written) {
        const had = Object.hasOwn(base, key);
        if (value[key] === undefined || !Object.hasOwn(value, key)) {
          delete value[key];
          if (had) fresh.push(key);
          continue;
        }
        value[key] = this.#slot(key, value[key]);
        if (!had || value[key] !== base[key]) fresh.push(key);
      }
    }
    if (fresh.length > 0) this.checkKeys(value);
    return this.#change(base, value, fresh, touched, [], false);
  }

  #array({ base, children, splices, copy, reordered }: ArrayNode): Change | undefined {
    if (copy === undefined) return undefined;
    const touched: Change[] = [];
    const fresh: number[] = [];
    const replaced: Splice[] = [];
    for (const { from, node } of children) {
      const index = splices === undefined ? from : splices.toPresent(from);
      if (index < 0) continue;
      const change = this.#child(index, from, node);
      copy[index] = change?.value ?? node.base;
      if (change !== undefined) touched.push(change);
    }
    for (const splice of splices?.list ?? []) {
      for (let i = splice.at; i < splice.at + splice.inserted; i++) {
        if (copy[i] === undefined) throw this.fault(i in copy ? "must be JSON, got undefined" : "must be JSON, got a hole in an array", i);
        copy[i] = this.#slot(i, copy[i]);
      }
      const trimmed = trim(splice, base, copy);
      if (trimmed === undefined) continue;
      replaced.push(trimmed);
      for (let i = 0; i < trimmed.inserted; i++) fresh.push(trimmed.at + i);
    }
    return this.#change(base, copy, fresh, touched, replaced, reordered);
  }

  #change(base: object, value: object, fresh: Change["fresh"], children: Change[], splices: readonly Splice[], reordered: boolean): Change | undefined {
    if (fresh.length + children.length + splices.length === 0) return undefined;
    this.made?.push(value);
    return { key: "", from: "", base: base as Container, value: value as Container, fresh, children, splices, reordered };
  }

  #child(key: Change["key"], from: Change["from"], node: Node): Change | undefined {
    this.path.push(key);
    const { touched } = this.node(node);
    this.path.pop();
    if (touched !== undefined) {
      touched.key = key;
      touched.from = from;
    }
    return touched;
  }

  /** The final value in a place that was written to. A container that is no draft is the base's own. */
  #slot(key: Change["key"], value: unknown): unknown {
    return isContainer(value) && nodeOf(value) === undefined ? value : this.below(key, value);
  }
}

/** A stretch without the items that are, after all, the same at its ends; undefined when all are. */
function trim({ from, removed, at, inserted }: Splice, base: readonly unknown[], value: readonly unknown[]): Splice | undefined {
  let start = 0;
  let end = Math.min(removed, inserted);
  while (start < end && base[from + start] === value[at + start]) start += 1;
  end -= start;
  let kept = 0;
  while (kept < end && base[from + removed - 1 - kept] === value[at + inserted - 1 - kept]) kept += 1;
  const taken = start + kept;
  if (taken === removed && taken === inserted) return undefined;
  return { from: from + start, removed: removed - taken, at: at + start, inserted: inserted - taken };
}
