// The tools, prompts and resources that the scenarios name and no state has: texts, pictures, sound
// and progress.

import type { OwnFeatures, OwnPrompt, OwnResource, OwnTool } from "@opstate/mcp";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const text = (words: string) => ({ type: "text", text: words }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: words } }) as const;

type Content = Awaited<ReturnType<OwnTool["call"]>>["content"];

function tool(name: string, content: Content): OwnTool {
  return { listed: { name, description: `Gives ${name}`, inputSchema: { type: "object" } }, call: () => ({ content }) };
}

const progress: OwnTool = {
  listed: { name: "test_tool_with_progress", description: "Reports progress", inputSchema: { type: "object" } },
  async call(_, { request: { mcpReq } }) {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const done of [0, 50, 100])
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: done, total: 100 },
        });
    return { content: [text("Done")] };
  },
};

type Message = Awaited<ReturnType<OwnPrompt["get"]>>["messages"][number];

function prompt(
  name: string,
  names: readonly string[],
  contents: (args: Readonly<Record<string, string>>) => readonly Message["content"][],
): OwnPrompt {
  return {
    listed: {
      name,
      description: `Gives ${name}`,
      arguments: names.map((argument) => ({ name: argument, description: `The ${argument}`, required: true })),
    },
    get: (args) => ({ messages: contents(args).map((content) => ({ role: "user", content })) }),
  };
}

const resources: readonly OwnResource[] = [
  {
    listed: { uri: "test://static-text", name: "text", mimeType: "text/plain" },
    read: (uri) =>
      uri === "test://static-text" ? { contents: [{ uri, mimeType: "text/plain", text: "A text" }] } : undefined,
  },
  {
    listed: { uri: "test://static-binary", name: "picture", mimeType: "image/png" },
    read: (uri) =>
      uri === "test://static-binary" ? { contents: [{ uri, mimeType: "image/png", blob: PIXEL }] } : undefined,
  },
  {
    listed: { uriTemplate: "test://template/{id}/data", name: "data", mimeType: "application/json" },
    read(uri) {
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
      if (id === undefined) return undefined;
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id }) }] };
    },
  },
];

export const own: OwnFeatures = {
  tools: [
    tool("test_simple_text", [text("This is a simple text response for testing.")]),
    tool("test_image_content", [image]),
    tool("test_audio_content", [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }]),
    tool("test_embedded_resource", [embedded("test://embedded-resource", "text/plain", "An embedded resource")]),
    tool("test_multiple_content_types", [
      text("Several:"),
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data"}'),
    ]),
    progress,
  ],
  prompts: [
    prompt("test_simple_prompt", [], () => [text("This is a simple prompt for testing.")]),
    prompt("test_prompt_with_arguments", ["arg1", "arg2"], ({ arg1, arg2 }) => [
      text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ]),
    prompt("test_prompt_with_embedded_resource", ["resourceUri"], ({ resourceUri = "" }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
    ]),
    prompt("test_prompt_with_image", [], () => [image, text("Please analyze the image above.")]),
  ],
  resources,
};
