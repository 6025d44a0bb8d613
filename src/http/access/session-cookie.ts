import type { IncomingHttpHeaders } from 'node:http';

/**
 * What a browser keeps and shows with each request, and no script of a page can read: a token that somebody typed, until it is closed;
 * one that was made as they signed in by a provider, which ends as they sign out; and on the way to that provider, what was begun.
 */
export const COOKIES = {
  typed: 'colligate_token',
  made: 'colligate_session',
  asked: 'colligate_asked',
} as const;
type Cookie = (typeof COOKIES)[keyof typeof COOKIES];

/** The token that a request shows: in its header, as services do, or in a cookie, as browsers do. */
export function shownBy(headers: IncomingHttpHeaders): { token: string | null; byCookie: boolean } {
  const { authorization } = headers;
  const sent = /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1];
  if (authorization !== undefined) return { token: sent ?? null, byCookie: false };
  const token = cookieOf(headers, COOKIES.made) ?? cookieOf(headers, COOKIES.typed);
  return { token, byCookie: token !== null };
}

export function cookieOf({ cookie }: IncomingHttpHeaders, name: Cookie): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,2000})(?:;|$)`).exec(cookie ?? '')?.[1] ?? null;
}

interface CookieOptions {
  /** Where the face is reached over TLS: then the cookie never leaves that. */
  isSecure: boolean;
  /** Until the browser is closed, where it is absent. */
  seconds?: number;
}

export function cookie(name: Cookie, value: string, { isSecure, seconds }: CookieOptions): string {
  const until = seconds === undefined ? [] : [`Max-Age=${seconds}`];
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : []), ...until];
  return [`${name}=${value}`, ...attributes].join('; ');
}

/** Has a browser forget it. */
export function noCookie(name: Cookie, isSecure: boolean): string {
  return cookie(name, '', { isSecure, seconds: 0 });
}
