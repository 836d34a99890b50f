// The tool message of a call that a stopped run left open, as `graphAgent` adds it to the history.

/**
 * Its id, by which it is known as a stopgap: the code that knows what became of the call says that.
 */
export function stoppedCallId(message: string | undefined, callId: string): string {
  return `${message}/${callId}/stopped`;
}
