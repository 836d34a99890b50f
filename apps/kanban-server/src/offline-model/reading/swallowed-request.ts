// Whether an unquoted title contains a second request: "Write docs and remove T-1" is not a title.

const VERBS =
  "add|archive|assign|build|change|clear|close|create|delete|discard|drop|empty|erase|finish|keep|leave|lower|make|mark|move|prioriti[sz]e|put|raise|remove|rename|set|sort|start|swap|tell|throw|trash|undo";
const SWALLOWED_REQUEST = new RegExp(
  `(?:[,;]|\\b(?:and|but|except|unless|then|instead|or)\\b)\\s+(?:then\\s+|also\\s+|not\\s+|do(?:n't| not)\\s+)?(?:${VERBS})\\b`,
  "i",
);

export const swallowsRequest = (title: string): boolean => SWALLOWED_REQUEST.test(title);
