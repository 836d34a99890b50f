// Which of an author's functions run to their end when they are called.

/** Whether it is a function, and neither asynchronous nor a generator. */
export function isSynchronous(code: unknown): boolean {
  return typeof code === "function" && code.constructor.name === "Function";
}
