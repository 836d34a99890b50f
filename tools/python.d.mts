/** The command of a Python that is new enough, or undefined. */
export function pythonPath(): string | undefined;
