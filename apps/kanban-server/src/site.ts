// Serves the built page. It reads only files of its folder, and the content security policy forbids
// foreign code.

import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { compressed } from "./compressed.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

// No inline code, so a card titled "<img onerror=...>" stays a title.
const policyFor = (connect: readonly string[]): string =>
  [
    "default-src 'none'",
    ["connect-src 'self'", ...connect].join(" "),
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/**
 * Serves a folder's files, and its index.html at "/". `connect` are the origins that its pages may
 * connect to beside their own.
 */
export function createSite(folder: string, connect: readonly string[] = []): (request: Request) => Promise<Response> {
  const policy = policyFor(connect);
  return compressed(async (request) => {
    const response = await serveSite(folder, request);
    response.headers.set("content-security-policy", policy);
    return response;
  });
}

async function serveSite(folder: string, request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return text(405, "This page is read-only.", { allow: "GET, HEAD" });
  const path = decoded(new URL(request.url).pathname);
  if (path === undefined) return text(400, "This address is not valid.");
  const file = await find(folder, path);
  if (file === undefined)
    return (await isFile(join(folder, "index.html")))
      ? text(404, "There is no such page.")
      : text(503, `The page has not been built. Run: npx -y pnpm@12.21.0 build\n`);
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  // Built files carry a hash of their content in their name; the page that names them does not.
  const cache = file.includes(`${sep}assets${sep}`) ? "public, max-age=31536000, immutable" : "no-cache";
  const content = new Uint8Array(await readFile(file));
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  return new Response(request.method === "HEAD" ? null : content, {
    headers: {
      ...SECURITY_HEADERS,
      "content-type": type,
      "cache-control": cache,
      "content-length": String(content.byteLength),
      etag,
    },
  });
}

async function find(folder: string, path: string): Promise<string | undefined> {
  const file = join(folder, path === "/" ? "index.html" : path);
  return file.startsWith(folder + sep) && (await isFile(file)) ? file : undefined;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Undefined for an invalid path. */
function decoded(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return name.includes("\0") ? undefined : name;
  } catch {
    return undefined;
  }
}

const text = (status: number, message: string, more: Record<string, string> = {}): Response =>
  new Response(message, {
    status,
    headers: { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...more },
  });
