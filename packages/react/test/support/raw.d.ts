declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  readonly env: Readonly<Record<string, string>>;
}
