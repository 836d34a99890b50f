// The person's name, stored in the browser and sent with each request. The demo's server trusts it;
// a real server asks for a login.

const STORAGE_KEY = "opstate.user";

/** Allowed names: a name is sent in a header. */
export const USER_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

export const USER_NAME_PROBLEM =
  "A name has 1 to 32 letters, digits, dots or dashes, and begins with a letter or a digit.";

export function readUser(): string {
  const stored = localStorage.getItem(STORAGE_KEY);
  return stored !== null && USER_NAME.test(stored) ? stored : "ada";
}

export function writeUser(name: string): void {
  localStorage.setItem(STORAGE_KEY, name);
}
