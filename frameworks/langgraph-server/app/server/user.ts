/** Who sends a request. This trusts the cookie. Yours looks the user up in your session. */
export function userOf(request: Request): string | undefined {
  const [, user] = /(?:^|; )user=([^;]+)/.exec(request.headers.get("cookie") ?? "") ?? [];
  return user;
}
