// The bounds of a debate, for the server that checks them and the page that keeps to them.

export const MAX_ROUNDS = 10;
export const DEFAULT_ROUNDS = 3;
export const MAX_TOPIC_LENGTH = 300;
export const MAX_REMARK_LENGTH = 500;
