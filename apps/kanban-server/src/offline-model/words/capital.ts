// The first letter of a sentence.

export const capital = (sentence: string): string => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
