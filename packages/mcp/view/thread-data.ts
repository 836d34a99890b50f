// What `opstate_look` gives, which is made in `src/tools/view-tools.ts`.

/** A JSON Schema, as far as a form needs it. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Operation {
  readonly type: string;
  readonly description: string;
  readonly inputSchema: Schema;
}

export interface ThreadData {
  readonly definition: string;
  readonly version: number;
  readonly state: unknown;
  /** What is legal now. */
  readonly operations: readonly Operation[];
  /** The newest commits, the newest first. */
  readonly commits: readonly { readonly version: number; readonly by: string; readonly sentence: string }[];
  readonly proposals: readonly { readonly id: string; readonly by: string; readonly sentence: string }[];
  /** Where a person decides on proposals. */
  readonly page?: string;
}
