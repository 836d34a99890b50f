/** What a person can set right: said in a sentence, without a stack. */
export class StartError extends Error {}

export function stop(message: string): never {
  throw new StartError(message);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
