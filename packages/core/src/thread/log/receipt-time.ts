// For how long receipts are kept, and by how much a clock may be wrong.

/** How long an id is known. */
export interface ReceiptOptions {
  /** Milliseconds, above 0. Infinity: for ever. */
  readonly keep: number;
}

/** Milliseconds by which a submitter's clock may be wrong: more than any time zone. */
export const CLOCK_ERROR = 86_400_000;

/** Throws a RangeError for a time that is none. */
export function checkReceipts(receipts: ReceiptOptions | undefined): void {
  if (receipts !== undefined && !(receipts.keep > 0))
    throw new RangeError(`"receipts.keep" must be milliseconds above 0, or Infinity, not ${receipts.keep}.`);
}
