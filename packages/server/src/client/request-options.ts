import type { RequestOptions } from "@opstate/client";

export interface ThreadRequestOptions extends RequestOptions {
  readonly threadId: string;
}
