// The HTTP connection of a page, shared with the tabs of its origin that have everything in common
// with it: address, credentials, confirmed actor, definitions.
//
// Invariants:
// - Tabs whose requests have other headers, or send cookies in another way, never share. Cookies
//   are the same in all tabs of an origin: the confirmed actor keeps those apart.
// - Names of channels and locks can be read by every script of the origin: they have a digest of
//   the headers, never the headers.

import type { Carrier } from "./carrier.ts";
import type { InnerCarrier } from "./connection/http/http-authority.ts";
import { httpCarrier, type HttpCarrierOptions } from "./connection/http/http-carrier.ts";
import type { Requester, RequestHeaders } from "./connection/http/request.ts";
import { tabCarrier } from "./tabs/tab-carrier.ts";

export interface TabsOfOriginOptions extends HttpCarrierOptions {
  readonly url: string;
  readonly credentials?: string | undefined;
  /** The connection of the tab that has it. */
  readonly carrier?: InnerCarrier | undefined;
  readonly definitions: () => Readonly<Record<string, number>>;
}

export function tabsOfOrigin(requester: Requester, options: TabsOfOriginOptions): Carrier {
  const { url, credentials, definitions, carrier = httpCarrier, ...carrierOptions } = options;
  const { location, document } = globalThis as unknown as Page;
  let rights = "";
  const inner = carrier(
    {
      async post(path, body, init) {
        const response = await requester.post(path, body, init);
        if (path !== "/events" || !response.ok) return response;
        const digest = await digestOf(requester.sentFor.get(response), credentials);
        // Another connection may have begun in the meantime.
        if (init?.signal?.aborted !== true) rights = digest;
        return response;
      },
    },
    carrierOptions,
  );
  const address = new URL(url, document?.baseURI ?? location.href).href.replace(/\/+$/, "");
  return tabCarrier(inner, { url: address, definitions, rights: () => rights });
}

/** The parts of a page, or of a worker, that are used here: not every host has their types. */
interface Page {
  readonly location: { readonly href: string };
  readonly document?: { readonly baseURI: string };
}

/** Locks are there in secure contexts only, and so are digests. */
async function digestOf(headers: RequestHeaders = {}, credentials = ""): Promise<string> {
  const sorted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = new TextEncoder().encode(JSON.stringify([credentials, sorted]));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
