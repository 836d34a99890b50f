// Checks the schemas of a state and of an operation's input once, when the definition is made.
//
// A state is JSON and stays as it was stored, so the output of its schema must equal the input: no
// transforms, no types that JSON lacks, defaults that satisfy their own schema. Code that runs only
// at parse time (a `superRefine` that returns a promise) is not visible here.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { checkJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { compileValidator } from "../engine/validation/validate.ts";
import { innerOf } from "../engine/validation/kinds.ts";
import { kindsOf } from "./kinds.ts";
import { PROTO } from "../json/reserved-keys.ts";

/** `path`: a JSON Pointer into the values that the schema describes, `*` for any item or key. */
interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/** Why `schema` cannot be the schema of a state; empty when it can. */
export function inspectStateSchema(schema: $ZodType): readonly SchemaFault[] {
  const inspection = new Inspection(true);
  inspection.visit(schema, "", []);
  if (inspection.faults.length > 0) return inspection.faults;
  for (const field of rootFields(schema, "type")) {
    if (!kindsOf(field).has("string")) continue;
    inspection.faults.push({
      path: "/type",
      message: 'a string "type" at the root would be read as the type of an operation; rename the key',
    });
    break;
  }
  return inspection.faults;
}

/** Why `schema` cannot be the input of an operation; empty when it can. */
export function inspectInputSchema(schema: $ZodType): readonly SchemaFault[] {
  const inspection = new Inspection(false);
  inspection.visit(schema, "", []);
  if (inspection.faults.length > 0) return inspection.faults;
  const kinds = kindsOf(schema);
  if (!kinds.has("object") || [...kinds].some((kind) => kind !== "object" && kind !== "absent"))
    inspection.faults.push({ path: "", message: "the input must be an object: z.object({ ... })" });
  if (rootFields(schema, "type").length > 0)
    inspection.faults.push({
      path: "/type",
      message: '"type" is reserved for the type of the operation; rename the key',
    });
  return inspection.faults;
}

/** Types that JSON has no values for, and what to use instead. */
const NOT_JSON: Readonly<Record<string, string>> = {
  date: "keep dates as text: z.iso.datetime()",
  bigint: "keep big integers as text: z.string()",
  map: "use z.record()",
  set: "use z.array()",
  file: "keep a reference to the file",
  symbol: "use z.enum() or z.literal()",
  function: "keep data only",
  promise: "keep the value that it resolves to",
  nan: "use z.null()",
};

/** Types whose only JSON value is an absent member. */
const ABSENCE = new Set(["undefined", "void"]);

/** A getter that makes a new schema each time never ends. A real definition is far smaller. */
const VISIT_LIMIT = 10_000;

class Inspection {
  readonly faults: SchemaFault[] = [];
  readonly #state: boolean;
  readonly #seen = new Set<$ZodType>();
  #depth = 0;

  constructor(state: boolean) {
    this.#state = state;
  }

  /**
   * `enclosing`: the schemas of the very same value. A schema among them would recurse for ever.
   */
  visit(schema: $ZodType, path: string, enclosing: readonly $ZodType[]): void {
    if (!isSchema(schema)) return this.#fault(path, "must be a schema of zod 4: zod or zod/mini");
    if (enclosing.includes(schema))
      return this.#fault(path, "the schema refers to itself without an object or array between");
    if (
      this.#seen.has(schema) ||
      this.#seen.size >= VISIT_LIMIT ||
      this.#depth + enclosing.length > DEFAULT_LIMITS.depth
    )
      return;
    this.#seen.add(schema);
    const before = this.faults.length;
    this.#checks(schema, path);
    this.#type(schema, path, [...enclosing, schema]);
    if (this.#state && this.faults.length === before) this.#substitute(schema, path);
  }

  /** A schema of values one level further down. */
  #below(schema: $ZodType, path: string): void {
    this.#depth += 1;
    this.visit(schema, path, []);
    this.#depth -= 1;
  }

  #fault(path: string, message: string): void {
    this.faults.push({ path, message });
  }

  #checks(schema: $ZodType, path: string): void {
    const { def } = schema._zod;
    const own = schema._zod.traits.has("$ZodCheck") ? [schema] : [];
    for (const check of [...own, ...(def.checks ?? [])]) {
      const parts: { readonly def: object; readonly check?: unknown } = check._zod;
      if (this.#state && "check" in parts.def && parts.def.check === "overwrite") {
        this.#fault(
          path,
          "a check that changes the value (trim, toLowerCase, overwrite...) belongs in the operation's input, not in the state",
        );
      }
      if (isAsync(parts.check) || ("fn" in parts.def && isAsync(parts.def.fn)))
        this.#fault(path, "an asynchronous check cannot run: updates are validated synchronously");
    }
  }

  #type(schema: $ZodType, path: string, enclosing: readonly $ZodType[]): void {
    const inner = innerOf(schema);
    if (inner !== undefined) return this.visit(inner, path, enclosing);
    // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
    const { def } = (schema as $ZodTypes)._zod;
    if ("coerce" in def && def.coerce && this.#state)
      this.#fault(path, "z.coerce changes the value; use the plain type");
    const hint = NOT_JSON[def.type];
    if (hint !== undefined) return this.#fault(path, `z.${def.type}() is not JSON: ${hint}`);
    if (ABSENCE.has(def.type) && this.#state)
      return this.#fault(path, `z.${def.type}() is not JSON: use .optional() for what may be absent`);
    switch (def.type) {
      case "transform":
      case "success":
        if (this.#state)
          this.#fault(path, "a transform changes the value; store the plain value and compute the rest with `derive`");
        return;
      case "literal":
        if (def.values.some((value) => value === undefined || typeof value === "bigint"))
          this.#fault(path, "a literal must be a string, a number, a boolean or null");
        return;
      case "object":
        for (const [key, child] of Object.entries(def.shape)) this.#below(child, `${path}/${escape(key)}`);
        if (Object.hasOwn(def.shape, PROTO)) this.#fault(`${path}/${PROTO}`, `"${PROTO}" cannot be a key`);
        if (Object.getOwnPropertySymbols(def.shape).length > 0) this.#fault(path, "a symbol cannot be a key");
        if (def.catchall) this.#below(def.catchall, `${path}/*`);
        return;
      case "array":
        return this.#below(def.element, `${path}/*`);
      case "tuple":
        for (const [index, item] of def.items.entries()) this.#below(item, `${path}/${index}`);
        if (def.rest) this.#below(def.rest, `${path}/*`);
        return;
      case "record":
        this.#below(def.keyType, `${path}/*`);
        return this.#below(def.valueType, `${path}/*`);
      case "union":
        for (const option of def.options) this.visit(option, path, enclosing);
        return;
      case "intersection":
        this.visit(def.left, path, enclosing);
        return this.visit(def.right, path, enclosing);
      case "pipe":
        if (def.transform !== undefined) {
          if (this.#state) this.#fault(path, "a codec changes the value; keep the encoded form");
          return;
        }
        this.visit(def.in, path, enclosing);
        return this.visit(def.out, path, enclosing);
      default:
    }
  }

  /** The value of a default, prefault or catch must be JSON, the same every time, and valid. */
  #substitute(schema: $ZodType, path: string): void {
    const { type } = schema._zod.def;
    if (type !== "default" && type !== "prefault" && type !== "catch") return;
    const validator = compileValidator(schema);
    const [first, second] = [validator.full(undefined), validator.full(undefined)];
    if (!first.ok || !second.ok) return this.#fault(path, `the ${type} value does not satisfy its own schema`);
    if (first.value === undefined) return;
    const fault = checkJson(first.value, { ...DEFAULT_LIMITS, depth: DEFAULT_LIMITS.depth - 1 });
    if (fault !== undefined) return this.#fault(path, `the ${type} value is not JSON: ${fault.message}`);
    if (JSON.stringify(first.value) !== JSON.stringify(second.value))
      return this.#fault(
        path,
        `the ${type} value changes each time; a state must not depend on a clock or on randomness`,
      );
    // Parsed by the inner schema, so that the default itself does not apply.
    const again = compileValidator(type === "catch" ? schema : (innerOf(schema) ?? schema)).full(first.value);
    if (!again.ok || again.value !== first.value)
      this.#fault(path, `the ${type} value does not satisfy its own schema`);
  }
}

/**
 * The schemas of the member `key` at the root, through wrappers and unions. A record with free keys
 * has none.
 */
function rootFields(schema: $ZodType, key: string, open: ReadonlySet<$ZodType> = new Set()): readonly $ZodType[] {
  if (open.has(schema)) return [];
  const inner = (child: $ZodType): readonly $ZodType[] => rootFields(child, key, new Set([...open, schema]));
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      return field === undefined ? [] : [field];
    }
    case "record":
      return def.keyType._zod.values?.has(key) === true ? [def.valueType] : [];
    case "union":
      return def.options.flatMap(inner);
    case "intersection":
      return [...inner(def.left), ...inner(def.right)];
    case "pipe":
      return [...inner(def.in), ...inner(def.out)];
    default: {
      const wrapped = innerOf(schema);
      return wrapped === undefined ? [] : inner(wrapped);
    }
  }
}

/** In JavaScript, or with another version of zod, it may be any value. */
function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function isAsync(value: unknown): boolean {
  return typeof value === "function" && value.constructor.name === "AsyncFunction";
}

function escape(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
