// The bounds of a debate, for the server that checks them and the page that keeps to them.

export const mostRounds = 10;
export const usualRounds = 3;
export const longestTopic = 300;
export const longestWord = 500;
