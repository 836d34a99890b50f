// A recorded history: one JSON object a line, written by one process with one clock.
//
// The order of the lines is the order of real time: a request is written before it is sent, an
// answer and an event after they came. So of two calls one was over before the other began when
// its answer has the lower line.

interface Timed {
  /** Milliseconds. */
  readonly at: number;
}

/** A request that adds to the chain. One id may be sent several times, by several calls. */
export interface WriteRecord extends Timed {
  readonly kind: "write";
  readonly call: number;
  readonly client: string;
  readonly node: string;
  readonly thread: string;
  readonly id: string;
  /** The chain refuses it while its length has this remainder by 3. */
  readonly unless: number;
  /** The only version at which it is to be accepted. */
  readonly expected?: number;
}

export interface ReadRecord extends Timed {
  readonly kind: "read";
  readonly call: number;
  readonly client: string;
  readonly node: string;
  readonly thread: string;
  readonly minVersion?: number;
}

/** The answer to a write. `final`: sent again, the id gets the same. */
export interface VerdictRecord extends Timed {
  readonly kind: "verdict";
  readonly call: number;
  readonly accepted: boolean;
  readonly final: boolean;
  readonly version: number;
}

/** The state of a chain. */
export interface Chain {
  readonly length: number;
  readonly last: string;
  readonly digest: string;
}

/** The answer to a read. */
export interface StateRecord extends Timed {
  readonly kind: "state";
  readonly call: number;
  readonly version: number;
  readonly state: Chain;
}

/** A call without an answer, or with an error that leaves open whether it had its effect. */
export interface UnknownRecord extends Timed {
  readonly kind: "unknown";
  readonly call: number;
  readonly why: string;
}

/** A stream is opened; its reader has what `after` says. */
export interface FollowRecord extends Timed {
  readonly kind: "follow";
  readonly stream: number;
  readonly client: string;
  readonly node: string;
  readonly thread: string;
  readonly after?: number;
}

/** A commit of a stream, with its id, or a snapshot, with its state. */
export interface EventRecord extends Timed {
  readonly kind: "event";
  readonly stream: number;
  readonly version: number;
  readonly id?: string;
  readonly state?: Chain;
}

/** A commit of the log as a node gives it when everything is over. */
export interface LogRecord extends Timed {
  readonly kind: "log";
  readonly node: string;
  readonly thread: string;
  readonly version: number;
  readonly id: string;
}

/** What was done to the nodes. It excuses nothing. */
export interface FaultRecord extends Timed {
  readonly kind: "fault";
  readonly what: string;
}

/** The recording ends. */
export interface EndRecord extends Timed {
  readonly kind: "end";
}

export type HistoryRecord =
  | WriteRecord
  | ReadRecord
  | VerdictRecord
  | StateRecord
  | UnknownRecord
  | FollowRecord
  | EventRecord
  | LogRecord
  | FaultRecord
  | EndRecord;

/** The records of a file of JSON lines. Throws with the number of a line that is none. */
export function parseHistory(text: string): readonly HistoryRecord[] {
  const lines = text.trimEnd().split("\n");
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as HistoryRecord;
    } catch {
      throw new Error(`Line ${index + 1} of the history is not JSON: ${line.slice(0, 80)}`);
    }
  });
}
