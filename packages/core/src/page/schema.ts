// What a schema is made of, and the schemas of its parts.

import type { $ZodType } from "zod/v4/core";
import { own } from "../json/container.ts";

/** Each kind of schema has some of these. */
export interface Def {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly catchall?: $ZodType;
  readonly valueType?: $ZodType;
  readonly element?: $ZodType;
  readonly innerType?: $ZodType;
  readonly options?: readonly $ZodType[];
  readonly left?: $ZodType;
  readonly right?: $ZodType;
  readonly out?: $ZodType;
}

/** zod types a schema by its output. A lazy one has what it wraps beside its definition. */
export function zodOf(schema: $ZodType): { readonly def: Def; readonly innerType?: $ZodType } {
  return (schema as { readonly _zod: { readonly def: Def; readonly innerType?: $ZodType } })._zod;
}

/** The schema of keys that a sender chooses. */
export function othersOf({ valueType, catchall }: Def): $ZodType | undefined {
  return valueType ?? catchall;
}

export function partOf(def: Def, key: PropertyKey): $ZodType | undefined {
  const { element, shape = {} } = def;
  return element ?? own(shape, key as string) ?? othersOf(def);
}
