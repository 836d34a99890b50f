// The tools, prompts and resources that the scenarios name and no state has: texts, pictures,
// sound, progress, questions to a person and a stream that is lost.

import {
  type CallToolResult,
  type ElicitRequestFormParams,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import type { OwnFeatures, OwnPrompt, OwnResource, OwnTool } from "@opstate/mcp";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const text = (words: string) => ({ type: "text", text: words }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: words } }) as const;

type Content = CallToolResult["content"];

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

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"];

function question(name: string, properties: Properties, required: string[] = []): OwnTool {
  return {
    listed: { name, description: "Puts a question to a person", inputSchema: { type: "object" } },
    call(_, { request: { mcpReq } }) {
      const answer = inputResponse(mcpReq.inputResponses, "answer");
      if (answer.kind === "elicit") return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
      const requestedSchema = { type: "object", properties, required } as const;
      const elicited = inputRequired.elicit({ message: "Please answer", requestedSchema });
      return inputRequired({ inputRequests: { answer: elicited } });
    },
  };
}

const titled = (words: string) =>
  ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${words}` }));
const options = ["option1", "option2", "option3"];

const questions: readonly OwnTool[] = [
  question("test_elicitation", { username: { type: "string" }, email: { type: "string" } }, ["username", "email"]),
  question("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  question("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  }),
];

const reconnection: OwnTool = {
  listed: {
    name: "test_reconnection",
    description: "Ends its stream before it answers",
    inputSchema: { type: "object" },
  },
  async call(_, { request: { http } }) {
    http?.closeSSE?.();
    return { content: [text("Answered after the stream ended")] };
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
    listed: { uri: "test://watched-resource", name: "watched", mimeType: "text/plain" },
    read: (uri) =>
      uri === "test://watched-resource" ? { contents: [{ uri, mimeType: "text/plain", text: "Watched" }] } : undefined,
    watch: (uri) => (uri === "test://watched-resource" ? () => {} : undefined),
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
    ...questions,
    reconnection,
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
