// The limits of a debate, for the server and the page.

export const MAX_ROUNDS = 10;
export const DEFAULT_ROUNDS = 3;
export const MAX_TOPIC_LENGTH = 300;
/** Of a person's `word` between two rounds. */
export const MAX_REMARK_LENGTH = 500;
