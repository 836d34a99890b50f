// The bounds of a debate, for the server that checks them and the page that keeps to them.

export const MOST_ROUNDS = 10;
export const USUAL_ROUNDS = 3;
export const LONGEST_TOPIC = 300;
export const LONGEST_WORD = 500;
