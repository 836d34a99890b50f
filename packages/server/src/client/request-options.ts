import type { RequestOptions } from "@opstate/client/carriers";

export interface ThreadRequestOptions extends RequestOptions {
  readonly threadId: string;
}
