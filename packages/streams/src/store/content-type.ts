// What a content type says about a stream.

/** Without parameters, in lower case: that in which two types must agree. */
export function essenceOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Whether a unit of the stream is a JSON value, and not a byte. */
export function isJson(contentType: string): boolean {
  return essenceOf(contentType) === "application/json";
}

/** Whether the stream is text, which an event stream can carry as it is. */
export function isText(contentType: string): boolean {
  return isJson(contentType) || essenceOf(contentType).startsWith("text/");
}
