// What every store checks before it does anything: ids, numbers, and the time of the call.

import { OpstateError } from "@opstate/core";
import { type CallOptions, checkCall, withinCall } from "@opstate/core/log";
import { isJson } from "./content-type.ts";
import type { NewStream, StreamAppend, StreamRange, StreamStore } from "./store.ts";

/** In UTF-16 units. A database indexes them. */
const ID_LIMIT = 512;
const TEXT_LIMIT = 512;

/** A store whose calls check what they are given, end in time, and reject once it is closed. */
export function guardedStore(store: StreamStore): StreamStore {
  let closing: Promise<void> | undefined;

  function run<T>(id: string, call: CallOptions | undefined, work: () => Promise<T>): Promise<T> {
    return withinCall(call, async () => {
      checkCall(call);
      checkId(id);
      if (closing) throw closed();
      return work();
    });
  }

  return {
    create: (id, stream = {}, call) =>
      run(id, call, async () => {
        checkNew(stream);
        return store.create(id, detached(stream), call);
      }),
    info: (id, call) => run(id, call, () => store.info(id, call)),
    append: (id, append, call) =>
      run(id, call, async () => {
        checkAppend(append);
        return store.append(id, detached(append), call);
      }),
    read: (id, range = {}, call) =>
      run(id, call, async () => {
        checkRange(range);
        return store.read(id, range, call);
      }),
    delete: (id, call) => run(id, call, () => store.delete(id, call)),
    watch(id, onChange) {
      checkId(id);
      if (closing) throw closed();
      return store.watch(id, onChange);
    },
    close: () => (closing ??= store.close()),
  };
}

/** A caller may use its buffers again while a write waits. */
function detached<Given extends { readonly messages?: readonly Uint8Array[] }>(given: Given): Given {
  const { messages } = given;
  return messages === undefined ? given : { ...given, messages: messages.map((message) => message.slice()) };
}

export const READ_DEFAULTS = { position: 0, limit: 1_000, bytes: 2 ** 20 } as const;

function closed(): OpstateError {
  return new OpstateError("closed", "The stream store is closed.");
}

/** Throws an OpstateError `invalid_id` for an id that no stream can have. */
export function checkId(id: string): void {
  // Controls are no text that a database, a URL and a log show alike.
  // oxlint-disable-next-line no-control-regex
  const isId = typeof id === "string" && id !== "" && id.length <= ID_LIMIT && !/[\u0000-\u001f\u007f]/.test(id);
  if (isId && isWellFormed(id)) return;
  throw new OpstateError(
    "invalid_id",
    `The id of a stream is well-formed text of 1 to ${ID_LIMIT} characters without control characters, not ${JSON.stringify(id.slice(0, 100))}.`,
  );
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function checkNew({ contentType, ttl, expiresAt, messages, source, owner }: NewStream): void {
  checkText("contentType", contentType);
  checkText("owner", owner);
  checkNumber("ttl", ttl, Number.MAX_SAFE_INTEGER);
  checkNumber("expiresAt", expiresAt, Number.MAX_SAFE_INTEGER);
  if (ttl !== undefined && expiresAt !== undefined)
    throw new RangeError("A stream has a `ttl` or an `expiresAt`, not both.");
  checkNumber("source.position", source?.position, Number.MAX_SAFE_INTEGER);
  checkNumber("source.skip", source?.skip, Number.MAX_SAFE_INTEGER);
  if (source) checkId(source.id);
  checkMessages(messages, contentType);
}

function checkAppend({ contentType, messages, seq, producer, close }: StreamAppend): void {
  checkText("contentType", contentType);
  checkText("seq", seq);
  checkText("producer.id", producer?.id);
  checkNumber("producer.epoch", producer?.epoch, Number.MAX_SAFE_INTEGER);
  checkNumber("producer.seq", producer?.seq, Number.MAX_SAFE_INTEGER);
  checkMessages(messages, contentType);
  if ((messages ?? []).length === 0 && close !== true)
    throw new RangeError("An append has a message, or closes the stream.");
}

function checkMessages(messages: readonly Uint8Array[] = [], contentType: string | undefined): void {
  const isOfJson = contentType !== undefined && isJson(contentType);
  if (messages.every((message) => message instanceof Uint8Array && message.length > 0)) return;
  throw new RangeError(
    isOfJson ? "A message of a JSON stream is the text of a JSON value." : "A message is bytes, at least one.",
  );
}

function checkRange({ position, limit = 1, bytes = 1 }: StreamRange): void {
  if (position !== "tail") checkNumber("position", position, Number.MAX_SAFE_INTEGER);
  for (const [name, value] of Object.entries({ limit, bytes })) {
    if (value !== Infinity && !(Number.isSafeInteger(value) && value > 0))
      throw new RangeError(`\`${name}\` must be a number from 1, not ${value}.`);
  }
}

function checkText(name: string, text: string | undefined): void {
  if (text === undefined) return;
  // oxlint-disable-next-line no-control-regex
  if (typeof text === "string" && text !== "" && text.length <= TEXT_LIMIT && !text.includes("\u0000")) return;
  throw new RangeError(`\`${name}\` must be text of 1 to ${TEXT_LIMIT} characters.`);
}

function checkNumber(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return;
  throw new RangeError(`\`${name}\` must be a whole number from 0, not ${value}.`);
}
