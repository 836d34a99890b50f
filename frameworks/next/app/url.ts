// The opstate server, for the pages and for Next.
export const url = "http://localhost:4310";
