/** Any operation, where only its type matters: `{ type: "move", ... }`. */
export interface AnyOperation {
  readonly type: string;
}
