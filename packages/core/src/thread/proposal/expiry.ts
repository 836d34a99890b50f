import type { ProposeOperation } from "../entries.ts";

export function isExpired({ expiresAt }: ProposeOperation, at: string): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(at);
}
