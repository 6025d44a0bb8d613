import type { IncomingHttpHeaders } from 'node:http';

/** A session cookie with the token that a person signed in with. Scripts of a page cannot read it. */
const COOKIE = 'colligate_token';

/** The token that a request shows: in its header, as services do, or in a cookie, as browsers do. */
export function shownBy(headers: IncomingHttpHeaders): { token: string | null; byCookie: boolean } {
  const { authorization } = headers;
  const sent = /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1];
  if (authorization !== undefined) return { token: sent ?? null, byCookie: false };
  const token =
    new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]{1,200})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;
  return { token, byCookie: token !== null };
}

/** `isSecure` is true where the browser reached the page over TLS: then it sends the cookie over TLS alone. */
export function tokenCookie(token: string, isSecure: boolean): string {
  return [`${COOKIE}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join(
    '; ',
  );
}

export function noTokenCookie(isSecure: boolean): string {
  return `${tokenCookie('', isSecure)}; Max-Age=0`;
}
