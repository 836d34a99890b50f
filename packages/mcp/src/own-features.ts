// What an application serves beside its threads: tools, prompts and resources of its own.

import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server";
import { OpstateError, type Actor } from "@opstate/core";

/** Who sends the request, and the SDK's context of it: for progress, and its end. */
export interface OwnContext {
  readonly actor: Actor;
  readonly request: ServerContext;
}

/** What a tool gives; or a question to the client first (`inputRequired` of the SDK). */
export type OwnResult = CallToolResult | InputRequiredResult;

export interface OwnTool {
  readonly listed: Tool;
  readonly call: (args: Readonly<Record<string, unknown>>, context: OwnContext) => OwnResult | Promise<OwnResult>;
}

export interface OwnPrompt {
  readonly listed: Prompt;
  readonly get: (
    args: Readonly<Record<string, string>>,
    context: OwnContext,
  ) => GetPromptResult | Promise<GetPromptResult>;
}

export interface OwnResource {
  /** With a `uri` it is listed as a resource, with a `uriTemplate` as a template. */
  readonly listed: Resource | ResourceTemplateType;
  /** Undefined for an address of something else. */
  readonly read: (
    uri: string,
    context: OwnContext,
  ) => ReadResourceResult | undefined | Promise<ReadResourceResult | undefined>;
  /**
   * For clients that subscribe: calls back with every change, until the returned function is
   * called. Undefined for an address of something else. Default: no client can subscribe to it.
   */
  readonly watch?: (
    uri: string,
    onChange: () => void,
    context: Pick<OwnContext, "actor">,
  ) => (() => void) | undefined | Promise<(() => void) | undefined>;
}

/**
 * They are for every actor whom `authorize` lets in: each checks the rights that it needs itself.
 */
export interface OwnFeatures {
  readonly tools?: readonly OwnTool[];
  readonly prompts?: readonly OwnPrompt[];
  readonly resources?: readonly OwnResource[];
}

/** Throws an OpstateError (`invalid_definition`) for a name that is in use. */
export function checkNames(
  kind: "tool" | "prompt",
  own: readonly { readonly listed: { readonly name: string } }[] | undefined,
  used: Iterable<string>,
): void {
  const names = new Set(used);
  for (const { name } of (own ?? []).map(({ listed }) => listed)) {
    if (names.has(name))
      throw new OpstateError(
        "invalid_definition",
        `There is a ${kind} "${name}" already. Give the application's own another name.`,
      );
    names.add(name);
  }
}

/** The first of the application's resources that knows the address. */
export async function readOwn(
  resources: readonly OwnResource[],
  uri: string,
  context: OwnContext,
): Promise<ReadResourceResult | undefined> {
  for (const resource of resources) {
    const found = await resource.read(uri, context);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Watches the first of the application's resources that knows the address and can be watched. */
export async function watchOwn(
  resources: readonly OwnResource[],
  uri: string,
  onChange: () => void,
  context: Pick<OwnContext, "actor">,
): Promise<(() => void) | undefined> {
  for (const { watch } of resources) {
    const unwatch = await watch?.(uri, onChange, context);
    if (unwatch !== undefined) return unwatch;
  }
  return undefined;
}
