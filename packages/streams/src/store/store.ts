// The port of a stream store: numbered messages that many may follow, without HTTP.
//
//   store ── create, append, read, info, delete, watch
//                      │      │
//   units 0 1 2 3 4 ───┴──────┴── a position lies between units; the next one goes to the tail
//
// A unit is a message in a JSON stream, and a byte in any other. A fork has the units of its source
// up to the position where it begins, under the same positions.
//
// Invariants:
// - What a write resolved is durable, as far as the store is.
// - Units at a position never change. A closed stream stays closed.
// - A producer's append has one effect, however often it is sent: its state is stored in the same
//   step as the units.
// - Each call may have a deadline and a signal, and is not waited for after them.
//
// (Long because most of it says what each call gives.)

import type { CallOptions } from "@opstate/core/log";

export interface StreamStore {
  /** Makes a stream. May be repeated: it then says whether the stream is as requested. */
  create(id: string, stream?: NewStream, call?: CallOptions): Promise<Created>;
  /** The head line alone. It keeps no stream from expiring. */
  info(id: string, call?: CallOptions): Promise<Found>;
  /** Adds messages at the tail, closes the stream, or both, in one durable step. */
  append(id: string, append: StreamAppend, call?: CallOptions): Promise<Appended>;
  /** A page of messages from a position on. It begins the stream's time to live anew. */
  read(id: string, range?: StreamRange, call?: CallOptions): Promise<Read>;
  /**
   * Deletes a stream. While forks have units of it, its id stays in use, and they keep what they
   * have.
   */
  delete(id: string, call?: CallOptions): Promise<Deleted>;
  /**
   * Calls back soon after the stream has grown, was closed, deleted or made anew, by any process.
   * It is a hint: a read gives what there is. Returns the function that ends it.
   */
  watch(id: string, onChange: () => void): () => void;
  /** Finishes what is under way. Later calls reject with an OpstateError `closed`. */
  close(): Promise<void>;
}

/** What a stream is. All of it is compared when a creation is repeated, except the messages. */
export interface NewStream {
  /** Default "application/octet-stream"; of a fork, that of its source. */
  readonly contentType?: string;
  /** Seconds after the last read or write, from 0, at which the stream expires. */
  readonly ttl?: number;
  /** Milliseconds since 1970 at which the stream expires. */
  readonly expiresAt?: number;
  readonly isClosed?: boolean;
  /** What it begins with; of a fork, after what it has of its source. */
  readonly messages?: readonly Uint8Array[];
  readonly source?: ForkSource;
  /** Whose stream it is: who may have `limits.streams` of them. */
  readonly owner?: string;
  readonly limits?: StreamLimits & { readonly streams?: number };
}

export interface ForkSource {
  readonly id: string;
  /** Where the fork leaves its source. Default: the source's tail. */
  readonly position?: number;
  /** So many units past `position`, within one append. Default 0. */
  readonly skip?: number;
}

/** Default: no limit. */
export interface StreamLimits {
  /** Of all that was written to the stream itself. */
  readonly bytes?: number;
  /** Ids of producers whose state a stream keeps. */
  readonly producers?: number;
}

export interface StreamInfo {
  /** Drawn at random for each stream: another stream with the same id has another one. */
  readonly incarnation: string;
  readonly contentType: string;
  /** Where the next unit goes. */
  readonly tail: number;
  readonly isClosed: boolean;
  readonly ttl?: number;
  /** As it was given. A time to live has none. */
  readonly expiresAt?: number;
}

/** There is no stream, or there was one that lives on in its forks. */
export type Missing = { readonly status: "unknown" } | { readonly status: "gone" };

export type Found = { readonly status: "found"; readonly info: StreamInfo } | Missing;

export type Created =
  /** `created`: by this call. `exists`: it was there, as requested. */
  | { readonly status: "created" | "exists"; readonly info: StreamInfo }
  /** It was there, and is another one than requested. */
  | { readonly status: "differs" }
  /** The id belongs to a deleted stream that lives on in its forks. */
  | { readonly status: "gone" }
  | { readonly status: "no_source" }
  /** The source is deleted, and lives on in other forks. */
  | { readonly status: "source_gone" }
  /** The source has another content type. */
  | { readonly status: "source_differs"; readonly contentType: string }
  /** The source has no such position, or no append that goes on for `skip` units. */
  | { readonly status: "no_position"; readonly tail: number }
  /** The fork would have units of too many other streams. */
  | { readonly status: "too_deep"; readonly depth: number }
  | { readonly status: "too_many_streams"; readonly streams: number }
  | { readonly status: "too_large"; readonly bytes: number };

/** Who writes, and the number of this write among theirs. */
export interface ProducerStamp {
  readonly id: string;
  /** It grows when the producer starts again; who is left in an earlier epoch is refused. */
  readonly epoch: number;
  /** From 0 in each epoch, one more for each append. */
  readonly seq: number;
}

export interface StreamAppend {
  /** Checked when it is given. */
  readonly contentType?: string;
  /** In a JSON stream each is the text of one value. */
  readonly messages?: readonly Uint8Array[];
  readonly close?: boolean;
  /** Greater than that of the append before, byte by byte. */
  readonly seq?: string;
  readonly producer?: ProducerStamp;
  readonly limits?: StreamLimits;
}

/** The head after the append; `producer`: the producer's newest append. */
type Position = { readonly tail: number; readonly isClosed: boolean; readonly producer?: ProducerStamp };

export type Appended =
  | ({ readonly status: "appended" } & Position)
  /** It was appended before: nothing was done. */
  | ({ readonly status: "duplicate" } & Position)
  | { readonly status: "closed"; readonly tail: number }
  | { readonly status: "content_differs"; readonly contentType: string }
  /** The `seq` is not greater than the last one. */
  | { readonly status: "seq_taken"; readonly last: string }
  /** A later epoch of the producer has written. */
  | { readonly status: "fenced"; readonly epoch: number }
  /** The first append of an epoch has the number 0. */
  | { readonly status: "epoch_begins_at_0" }
  | { readonly status: "gap"; readonly expected: number }
  | { readonly status: "too_large"; readonly bytes: number }
  | { readonly status: "too_many_producers"; readonly producers: number }
  | Missing;

export interface StreamRange {
  /** Default 0; "tail": only what comes later. */
  readonly position?: number | "tail";
  /** At most this many messages, from 1. Default 1,000. */
  readonly limit?: number;
  /** At most as many messages as have this many bytes, and at least one. Default 1 MiB. */
  readonly bytes?: number;
}

export interface StreamPage {
  readonly status: "found";
  readonly info: StreamInfo;
  /** In other than JSON streams, pieces of at most 64 KiB. */
  readonly messages: readonly Uint8Array[];
  /** Where the page begins and ends. */
  readonly from: number;
  readonly next: number;
}

export type Read =
  | StreamPage
  /** The position lies behind the tail. */
  | { readonly status: "beyond"; readonly tail: number }
  | Missing;

/** `retained`: the id stays in use, since forks have units of the stream. */
export type Deleted = { readonly status: "deleted"; readonly retained: boolean } | Missing;
