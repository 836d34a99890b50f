// One chunk: its lane, and the START, CONTENT and END events that it stands for.

import {
  EventType,
  type AGUIEvent,
  type ReasoningMessageChunkEvent,
  type TextMessageChunkEvent,
  type ToolCallChunkEvent,
} from "@ag-ui/core";
import type { ChunkLane } from "../state/protocol-state.ts";

export type ChunkEvent = TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent;

type Lanes = readonly ChunkLane[];

/** A chunk that contradicts the stream so far. The stage catches it. */
export class ChunkError extends Error {}

const KIND_NAMES = { text: "text message", tool: "tool call", reasoning: "reasoning message" } as const;
const DESCRIBED_FIELDS = new Set([
  ...["type", "timestamp", "rawEvent", "metadata", "subagentRunId", "messageId", "role", "delta", "name"],
  ...["toolCallId", "toolCallName", "parentMessageId"],
]);

/** The lanes and events after one chunk. Throws {@link ChunkError}. */
export function expandChunk(lanes: Lanes, chunk: ChunkEvent): readonly [Lanes, readonly AGUIEvent[]] {
  const kind = kindOf(chunk);
  const id = idOf(chunk);
  const owner = laneOf(lanes, kind, id, chunk);
  const open = lanes.find((lane) => lane.subagentRunId === owner);
  const continues = open?.kind === kind && (id === undefined || id === open.id);
  if (continues) {
    checkRepeatedFields(open, chunk);
    const content =
      contentOf(open, chunk) ??
      (chunk.metadata !== undefined || extrasOf(chunk) !== undefined ? contentOf(open, chunk, true) : undefined);
    return [lanes, content === undefined ? [] : [content]];
  }
  const lane = openLane(kind, id, chunk, owner);
  const events = open === undefined ? [] : [endOf(open)];
  const start = startOf(lane, chunk);
  const content = contentOf(lane, chunk);
  const rest = open === undefined ? lanes : lanes.filter((other) => other !== open);
  return [
    [...rest, lane],
    content === undefined ? [...events, { ...extrasOf(chunk), ...start }] : [...events, start, content],
  ];
}

/** The event that closes a lane's stream. */
export function endOf(lane: ChunkLane): AGUIEvent {
  const owner = ownerField(lane.subagentRunId);
  switch (lane.kind) {
    case "text":
      return { type: EventType.TEXT_MESSAGE_END, messageId: lane.id, ...owner };
    case "tool":
      return { type: EventType.TOOL_CALL_END, toolCallId: lane.id, ...owner };
    case "reasoning":
      return { type: EventType.REASONING_MESSAGE_END, messageId: lane.id, ...owner };
  }
}

function kindOf(chunk: ChunkEvent): ChunkLane["kind"] {
  if (chunk.type === EventType.TEXT_MESSAGE_CHUNK) return "text";
  return chunk.type === EventType.TOOL_CALL_CHUNK ? "tool" : "reasoning";
}

function idOf(chunk: ChunkEvent): string | undefined {
  return chunk.type === EventType.TOOL_CALL_CHUNK ? chunk.toolCallId : chunk.messageId;
}

/** The subagent that owns the chunk's lane; undefined for the agent itself. */
function laneOf(lanes: Lanes, kind: ChunkLane["kind"], id: string | undefined, chunk: ChunkEvent): string | undefined {
  const tag = chunk.subagentRunId;
  if (id !== undefined) {
    // A named stream continues in the lane where it is open.
    const holder = lanes.find((lane) => lane.kind === kind && lane.id === id);
    if (holder === undefined) return tag;
    if (tag !== undefined && tag !== holder.subagentRunId) {
      const owner = holder.subagentRunId === undefined ? "the agent itself" : `subagent "${holder.subagentRunId}"`;
      throw new ChunkError(`${chunk.type}: ${KIND_NAMES[kind]} "${id}" belongs to ${owner}, not to subagent "${tag}"`);
    }
    return holder.subagentRunId;
  }
  if (tag !== undefined) return tag;
  const ofKind = lanes.filter((lane) => lane.kind === kind);
  if (ofKind.some((lane) => lane.subagentRunId === undefined)) return undefined;
  if (ofKind.length > 1) {
    throw new ChunkError(
      `${chunk.type}: it names neither an id nor a subagent, but ${ofKind.length} subagents have an open ${KIND_NAMES[kind]}`,
    );
  }
  // A producer may tag the first chunk only: an untagged chunk then belongs to the one open stream.
  return ofKind[0]?.subagentRunId;
}

/** A continuing chunk may repeat the fields of the first one, but not change them. */
function checkRepeatedFields(lane: ChunkLane, chunk: ChunkEvent): void {
  const pairs: (readonly [string, string | undefined, string | undefined])[] = [];
  if (lane.kind === "text" && chunk.type === EventType.TEXT_MESSAGE_CHUNK)
    pairs.push(["role", chunk.role, lane.role], ["name", chunk.name, lane.name]);
  if (lane.kind === "tool" && chunk.type === EventType.TOOL_CALL_CHUNK) {
    pairs.push(
      ["toolCallName", chunk.toolCallName, lane.toolCallName],
      ["parentMessageId", chunk.parentMessageId, lane.parentMessageId],
    );
  }
  for (const [field, repeated, first] of pairs) {
    if (repeated === undefined || repeated === first) continue;
    const was = first === undefined ? "absent" : `"${first}"`;
    throw new ChunkError(
      `${chunk.type}: ${field} "${repeated}" contradicts the start of ${KIND_NAMES[lane.kind]} "${lane.id}", where it was ${was}`,
    );
  }
}

function openLane(
  kind: ChunkLane["kind"],
  id: string | undefined,
  chunk: ChunkEvent,
  owner: string | undefined,
): ChunkLane {
  if (id === undefined)
    throw new ChunkError(`${chunk.type}: the first chunk of a ${KIND_NAMES[kind]} must name its id`);
  const lane = { id, ...ownerField(owner) };
  if (chunk.type === EventType.REASONING_MESSAGE_CHUNK) return { ...lane, kind: "reasoning" };
  if (chunk.type === EventType.TEXT_MESSAGE_CHUNK) {
    return {
      ...lane,
      kind: "text",
      role: chunk.role ?? "assistant",
      ...(chunk.name !== undefined && { name: chunk.name }),
    };
  }
  const { toolCallName, parentMessageId } = chunk;
  if (toolCallName === undefined)
    throw new ChunkError(`${chunk.type}: the first chunk of a tool call must have a toolCallName`);
  return { ...lane, kind: "tool", toolCallName, ...(parentMessageId !== undefined && { parentMessageId }) };
}

function startOf(lane: ChunkLane, chunk: ChunkEvent): AGUIEvent {
  const fields = {
    ...ownerField(lane.subagentRunId),
    ...(chunk.metadata !== undefined && { metadata: chunk.metadata }),
  };
  switch (lane.kind) {
    case "text":
      return {
        type: EventType.TEXT_MESSAGE_START,
        messageId: lane.id,
        role: lane.role,
        ...(lane.name !== undefined && { name: lane.name }),
        ...fields,
      };
    case "tool":
      return {
        type: EventType.TOOL_CALL_START,
        toolCallId: lane.id,
        toolCallName: lane.toolCallName,
        ...(lane.parentMessageId !== undefined && { parentMessageId: lane.parentMessageId }),
        ...fields,
      };
    case "reasoning":
      return { type: EventType.REASONING_MESSAGE_START, messageId: lane.id, role: "reasoning", ...fields };
  }
}

/**
 * The content that the chunk adds; undefined when it adds none. With `always`, an empty fragment
 * carries its metadata.
 */
function contentOf(lane: ChunkLane, chunk: ChunkEvent, always = false): AGUIEvent | undefined {
  if (!always && chunk.delta === undefined && chunk.rawEvent === undefined) return undefined;
  const delta = chunk.delta ?? "";
  const fields = {
    ...ownerField(chunk.subagentRunId ?? lane.subagentRunId),
    ...(chunk.metadata !== undefined && { metadata: chunk.metadata }),
    ...(chunk.rawEvent !== undefined && { rawEvent: chunk.rawEvent as unknown }),
  };
  // Unknown properties are passed on, so that the fold reports them.
  const extras = extrasOf(chunk);
  if (lane.kind === "tool") return { ...extras, type: EventType.TOOL_CALL_ARGS, toolCallId: lane.id, delta, ...fields };
  const type = lane.kind === "text" ? EventType.TEXT_MESSAGE_CONTENT : EventType.REASONING_MESSAGE_CONTENT;
  return { ...extras, type, messageId: lane.id, delta, ...fields };
}

function extrasOf(chunk: ChunkEvent): Record<string, unknown> | undefined {
  let extras: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(chunk)) if (!DESCRIBED_FIELDS.has(key)) (extras ??= {})[key] = value;
  return extras;
}

function ownerField(owner: string | undefined): { readonly subagentRunId?: string } {
  return owner === undefined ? {} : { subagentRunId: owner };
}
