/** The path of a Chromium or Chrome, or undefined. */
export function browserPath(): string | undefined;
/** What starts that browser in Playwright and in vitest's browser mode. */
export function launchOptions(): { executablePath?: string; args: string[] };
