// Servers that are almost right: each does one thing otherwise than the protocol, and is a real one
// in all else.

import type { Server } from "@opstate/server";

export interface WrongServer {
  /** What it does otherwise. */
  readonly does: string;
  /** The scenarios that must see it, by group and name. */
  readonly seenBy: readonly string[];
  answer(request: Request, server: Server): Promise<Response>;
}

export const wrongServers: readonly WrongServer[] = [
  {
    does: "forgets the ids of submissions",
    seenBy: [
      "ids: A submission that is sent again has one effect, and the same verdict",
      "ids: The same submission several times in one request has one effect",
    ],
    async answer(request, server) {
      if (request.method !== "POST" || !request.url.endsWith("/operations")) return server.fetch(request);
      const text = await request.text();
      return server.fetch(withBody(request, text.replaceAll(/"id":"\w+",/g, "")));
    },
  },
  {
    does: "keeps no inverse patches",
    seenBy: ["submissions: A move keeps the item and the order of the others"],
    async answer(request, server) {
      const response = await server.fetch(request);
      if (!new URL(request.url).pathname.endsWith("/history") || !response.ok) return response;
      const text = await response.text();
      return new Response(text.replaceAll(/"inverse":\[.*?\](?=,"definitionVersion")/g, '"inverse":[]'), response);
    },
  },
  {
    does: "leaves out the first commit when a stream resumes",
    seenBy: ["events: A stream resumes behind a version with every commit since"],
    async answer(request, server) {
      const response = await server.fetch(request);
      if (!request.url.includes("after=1") || response.body === null) return response;
      let isFirst = true;
      const parts = new TransformStream<string, string>({
        transform(chunk, controller) {
          const kept = isFirst ? chunk.replace(/id: \d+\nevent: commits\ndata: .*\n\n/, "") : chunk;
          isFirst &&= kept === chunk;
          if (kept !== "") controller.enqueue(kept);
        },
      });
      const body = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(parts)
        .pipeThrough(new TextEncoderStream());
      return new Response(body, response);
    },
  },
  {
    does: "lets readers write",
    seenBy: ["rights: Who may read may not write"],
    async answer(request, server) {
      const isRita = request.headers.get("authorization") === "Bearer conformance-rita";
      if (!isRita || request.method !== "POST") return server.fetch(request);
      const asBob = { ...Object.fromEntries(request.headers), authorization: "Bearer conformance-bob" };
      return server.fetch(new Request(request.url, { method: "POST", headers: asBob, body: await request.text() }));
    },
  },
  {
    does: "answers a refused operation with 200",
    seenBy: ["submissions: A refused operation says why and what would be legal, and changes nothing"],
    async answer(request, server) {
      const response = await server.fetch(request);
      if (response.status !== 422) return response;
      return new Response(response.body, { status: 200, headers: response.headers });
    },
  },
  {
    does: "lets a proposer approve",
    seenBy: ["proposals: No one approves their own proposal"],
    async answer(request, server) {
      const response = await server.fetch(request);
      if (!request.url.endsWith("/approve") || response.status !== 403) return response;
      return Response.json({ accepted: true, version: 2 });
    },
  },
  {
    does: "accepts an undo, and takes nothing back",
    seenBy: [
      "undo: An undo takes back its target, and keeps what others did since",
      "undo: A run is taken back as a whole",
    ],
    async answer(request, server) {
      if (!request.url.endsWith("/undo")) return server.fetch(request);
      return Response.json({ accepted: true, version: 4, commit: { operation: { type: "$undo" } } });
    },
  },
];

function withBody(request: Request, body: string): Request {
  return new Request(request.url, { method: request.method, headers: request.headers, body });
}
