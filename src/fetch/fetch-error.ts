import { stripUnsafe } from '../core/text/untrusted-text';

export type FetchErrorKind =
  | 'bad-address'
  /** It leads to where nobody but its owner may go. */
  | 'not-public'
  | 'bad-redirect'
  | 'robots'
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  /** The server asks to come back later. */
  | 'busy'
  /** The server answers, and not with a page. */
  | 'refused'
  | 'unreadable';

const MAX_SHOWN_CHARS = 300;

/** Why nothing was fetched. `reason` is one sentence, and neither it nor `address` holds a query, a name or a password. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Where it happened: the address that was given, or one that it redirected to. */
  readonly address: string;

  constructor(
    readonly kind: FetchErrorKind,
    address: URL | string,
    readonly reason: string,
    readonly isRetryable = false,
    /** Of an answer that refuses. */
    readonly status: number | null = null,
  ) {
    const shown = shownAddress(address);
    super(`${shown}: ${reason}`);
    this.address = shown;
  }

  /** The same of another address: of a page whose host cannot be reached, or whose site keeps us away. */
  at(address: URL): FetchError {
    return new FetchError(this.kind, address, this.reason, this.isRetryable, this.status);
  }
}

/** An address as it may be told to anybody: what is behind the path may be a key, and so may a name before the host. */
export function shownAddress(address: URL | string): string {
  const text = String(address);
  const [scheme = '', rest] = text.split('://', 2);
  if (rest === undefined) return shortened(text.replace(/[?#].*/s, ''));
  const [authority = '', path = ''] = divided(rest.replace(/[?#].*/s, ''), '/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return shortened(`${scheme}://${host}${path}${rest.includes('?') ? '?…' : ''}`);
}

function divided(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function shortened(text: string): string {
  const safe = stripUnsafe(text).replace(/\s+/g, ' ');
  return safe.length > MAX_SHOWN_CHARS ? `${safe.slice(0, MAX_SHOWN_CHARS)}…` : safe;
}
