// Serves the built page. It reads only files of its folder, and the content security policy forbids
// foreign code.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".map": "application/json",
  ".svg": "image/svg+xml",
};

// No inline code, so a topic "<img onerror=...>" stays a topic.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Serves a file of a folder; for "/" its index.html. */
export async function serveSite(folder: string, path: string): Promise<Response> {
  const file = join(folder, path === "/" ? "index.html" : decoded(path));
  const content = file.startsWith(folder + sep) ? await readFile(file).catch(() => undefined) : undefined;
  if (content === undefined) {
    const isBuilt = path !== "/";
    const message = isBuilt
      ? "There is no such file."
      : "The page has not been built. Run: npx -y pnpm@12.21.0 build\n";
    return new Response(message, {
      status: isBuilt ? 404 : 503,
      headers: { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8" },
    });
  }
  // Built files carry a hash of their content in their name; the page that names them does not.
  const cache = file.includes(`${sep}assets${sep}`) ? "public, max-age=31536000, immutable" : "no-cache";
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  return new Response(new Uint8Array(content), {
    headers: {
      ...SECURITY_HEADERS,
      "content-type": type,
      "cache-control": cache,
      "content-length": String(content.byteLength),
      etag,
    },
  });
}

/** "" for an invalid path. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll("\0", "");
  } catch {
    return "";
  }
}
