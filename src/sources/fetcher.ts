import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { FetchError, parseWebAddress, redactAddress } from './fetch-address';
import {
  FETCH_LIMITS,
  type FetchLimits,
  type FetchResponse,
  guardedConnector,
  requestOnce,
  type Resolve,
  resolveBySystem,
} from './fetch-request';

const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      // The wait's own error hides the abort reason.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** HTTP cache validators for the address that sent them. */
export interface Validators {
  finalUrl: string;
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedPage extends Validators {
  kind: 'fetched';
  bytes: Uint8Array;
  /** The `Content-Type` header as sent; it may be wrong. */
  mediaType: string | null;
  fetchedAt: string;
}

export interface FetchOptions {
  signal?: AbortSignal;
  /** An unchanged page returns `not-modified` without its bytes. */
  validators?: Validators;
  /** Not sent to another origin after a redirect. Names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

export interface ApiRequest {
  /** Not sent to another origin after a redirect. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Minimum gap between requests if longer than the pace, and the default wait for a busy server. */
  gapMs?: number;
  maxBytes: number;
  signal?: AbortSignal;
}

/** The only way to fetch an address from outside. */
export interface Fetcher {
  /** Throws `FetchError`, or the signal's reason. */
  fetch(address: string, options?: FetchOptions): Promise<FetchedPage | { kind: 'not-modified' }>;
  /** Without robots.txt. Throws `FetchError`, or the signal's reason. */
  ask(address: string, question: ApiRequest): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface FetcherOptions {
  userAgent: string;
  allow: readonly string[];
  paceMs: number;
  limits?: Partial<FetchLimits>;
  resolve?: Resolve;
  clock?: Clock;
}

export function createFetcher({
  userAgent,
  allow,
  paceMs,
  limits: ownLimits,
  resolve = resolveBySystem,
  clock = systemClock,
}: FetcherOptions): Fetcher {
  const limits = { ...FETCH_LIMITS, ...ownLimits };
  const allowed = new Set(allow);
  const dispatcher = new Agent({
    connect: guardedConnector({ allowed, connectMs: limits.connectMs, resolve }),
    maxHeaderSize: limits.headerBytes,
  });
  const pace = createHostRateLimiter(clock);
  const rules = new Map<string, Promise<RobotRules>>();

  async function answerInTime(
    url: URL,
    gapMs: number,
    hop: HopOptions,
  ): Promise<Exclude<FetchResponse, { kind: 'busy' }>> {
    for (let waits = 0; ; waits += 1) {
      await pace.turn(url.host, gapMs, hop.signal);
      const answer = await requestOnce(url, { dispatcher, userAgent, ...hop });
      if (answer.kind !== 'busy') return answer;
      const afterMs = answer.afterMs ?? hop.busyMs;
      if (afterMs === null || afterMs > limits.waitMs || waits === limits.waits)
        throw busyError(url, answer.status, answer.afterMs);
      pace.rest(url.host, afterMs);
    }
  }

  async function follow(
    given: URL,
    pass: (url: URL) => Promise<{ gapMs: number }>,
    { headers, validators, ...hop }: HopOptions & Pick<FetchOptions, 'validators'>,
  ): Promise<{ url: URL; answer: Exclude<FetchResponse, { kind: 'busy' | 'redirect' }> }> {
    const seen = new Set([given.href]);
    let url = given;
    let told = headers;
    for (;;) {
      const { gapMs } = await pass(url);
      const answer = await answerInTime(url, gapMs, {
        ...hop,
        headers: { ...told, ...(validators?.finalUrl === url.href ? conditionalHeaders(validators) : {}) },
      });
      if (answer.kind !== 'redirect') return { url, answer };
      const next = parseWebAddress(answer.location, allowed, url);
      const wrong =
        hop.json === undefined ? redirectProblem(url, next, seen, limits.redirects) : POST_REDIRECT;
      if (wrong !== null) throw new FetchError('bad-redirect', url, wrong);
      if (next.origin !== url.origin) told = {};
      seen.add(next.href);
      url = next;
    }
  }

  /** Cached per site, including failures. */
  function rulesOf(url: URL, signal: AbortSignal | undefined): Promise<RobotRules> {
    const { origin } = url;
    const known = rules.get(origin);
    if (known !== undefined) return known;
    const asked = fetchRules(robotsAddress(url), signal);
    rules.set(origin, asked);
    return asked;
  }

  async function fetchRules(robotsUrl: URL, signal: AbortSignal | undefined): Promise<RobotRules> {
    const robotsLimits = { ...limits, bodyBytes: Math.min(limits.bodyBytes, MAX_ROBOTS_BYTES) };
    const { answer } = await follow(robotsUrl, async () => ({ gapMs: 0 }), {
      limits: robotsLimits,
      isCut: true,
      headers: {},
      json: undefined,
      busyMs: null,
      signal,
    });
    if (answer.kind === 'page') return parseRobots(answer.body.toString('utf8'));
    const status = answer.kind === 'refused' ? answer.status : 304;
    // RFC 9309, 2.3.1: a missing file allows everything; an unreachable one allows nothing.
    if (status >= 400 && status < 500) return ALLOWS_ALL;
    throw refusedError(robotsUrl, status);
  }

  return {
    async fetch(address, { signal, validators, headers = {} } = {}) {
      const asked = parseWebAddress(address, allowed);
      const pass = async (url: URL): Promise<{ gapMs: number }> => {
        const { isAllowed, delayMs } = await rulesOf(url, signal).catch((error: unknown) => {
          throw error instanceof FetchError && error.address === redactAddress(robotsAddress(url))
            ? error.at(url)
            : error;
        });
        if (isAllowed(url)) return { gapMs: Math.max(paceMs, Math.min(delayMs, limits.waitMs)) };
        throw new FetchError(
          'robots',
          url,
          'its robots.txt keeps it from programs; save it, and give the file',
        );
      };
      const hop = { limits, isCut: false, headers, json: undefined, busyMs: null, signal };
      const followed = await follow(asked, pass, { ...hop, validators });
      const { url, answer } = followed;
      if (answer.kind === 'refused') throw refusedError(url, answer.status);
      if (answer.kind === 'not-modified') {
        if (validators?.finalUrl === url.href) return { kind: 'not-modified' };
        throw refusedError(url, 304);
      }
      const { body: bytes, header } = answer;
      return {
        kind: 'fetched',
        bytes,
        mediaType: header('content-type'),
        finalUrl: url.href,
        fetchedAt: new Date(clock.now()).toISOString(),
        etag: header('etag'),
        lastModified: header('last-modified'),
      };
    },
    async ask(address, { headers = {}, body, gapMs = 0, maxBytes, signal }) {
      const apart = Math.max(paceMs, gapMs);
      const json = body === undefined ? undefined : JSON.stringify(body);
      const { url, answer } = await follow(
        parseWebAddress(address, allowed),
        async () => ({ gapMs: apart }),
        {
          limits: { ...limits, bodyBytes: Math.min(limits.bodyBytes, maxBytes) },
          isCut: false,
          headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          json,
          busyMs: apart,
          signal,
        },
      );
      if (answer.kind === 'page') return answer.body;
      throw refusedError(url, answer.kind === 'refused' ? answer.status : 304);
    },
    close: () => dispatcher.destroy(),
  };
}

interface HopOptions {
  limits: FetchLimits;
  isCut: boolean;
  headers: Readonly<Record<string, string>>;
  json: string | undefined;
  /** Wait for a busy server without `Retry-After`; null to fail at once. */
  busyMs: number | null;
  signal: AbortSignal | undefined;
}

const POST_REDIRECT =
  'it redirects what was sent to it, which goes nowhere else; give the address it leads to';

function robotsAddress({ origin }: URL): URL {
  return new URL('/robots.txt', origin);
}

function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function redirectProblem(url: URL, next: URL, seen: ReadonlySet<string>, most: number): string | null {
  if (url.protocol === 'https:' && next.protocol === 'http:')
    return 'it redirects from https to http, where others can read along; give the address it leads to, if you trust it';
  if (seen.has(next.href)) return 'it redirects in a circle; open it in a browser, and save it';
  return seen.size > most
    ? `it redirects more than ${most} times; give the address it leads to in the end`
    : null;
}

function busyError(url: URL, status: number, afterMs: number | null): FetchError {
  const when = afterMs === null ? 'later' : `in ${Math.ceil(afterMs / 1_000).toLocaleString('en')} seconds`;
  return new FetchError(
    'busy',
    url,
    `its server asks to be left alone for now (${status}); try again ${when}`,
    true,
  );
}

function refusedError(url: URL, status: number): FetchError {
  const reason =
    status === 401 || status === 402 || status === 403
      ? `its server lets nobody in without an account (${status}); save it, and give the file`
      : status === 404 || status === 410
        ? `there is no such page (${status}); look at the address`
        : status >= 500
          ? `its server fails (${status}); try again later`
          : `its server answers with no page (${status}); open it in a browser, and save it`;
  return new FetchError('refused', url, reason, status >= 500, status);
}

interface Clock {
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

interface HostRateLimiter {
  turn(host: string, gapMs: number, signal?: AbortSignal): Promise<void>;
  rest(host: string, ms: number): void;
}

function createHostRateLimiter(clock: Clock): HostRateLimiter {
  const free = new Map<string, number>();
  return {
    async turn(host, gapMs, signal) {
      const now = clock.now();
      const at = Math.max(now, free.get(host) ?? 0);
      free.set(host, at + gapMs);
      if (at > now) await clock.wait(at - now, signal);
    },
    rest(host, ms) {
      free.set(host, Math.max(free.get(host) ?? 0, clock.now() + ms));
    },
  };
}

/** RFC 9309: the product name without its version. */
const ROBOT_NAME = 'colligate';

/** The rest of a longer file is ignored (RFC 9309, 2.5). */
const MAX_ROBOTS_BYTES = 500 * 1024;

/** Further and longer rules are ignored. */
const MAX_RULES = 10_000;
const MAX_WILDCARD_RULES = 1_000;
const MAX_RULE_CHARS = 2_000;
const MAX_PATH_CHARS = 8_000;

interface RobotRules {
  isAllowed: (url: URL) => boolean;
  delayMs: number;
}

const ALLOWS_ALL: RobotRules = { isAllowed: () => true, delayMs: 0 };

interface RobotGroup {
  rules: { pattern: string; allow: boolean }[];
  wild: number;
  delaySeconds: number;
}

/** Uses the group for this product, else `*`. The longest match wins; of equals the one that allows. */
export function parseRobots(text: string): RobotRules {
  const groups = parseRobotGroups(text);
  const { rules, delaySeconds } = groups.get(ROBOT_NAME) ?? groups.get('*') ?? emptyGroup();
  const inOrder = rules.sort(
    (one, other) => other.pattern.length - one.pattern.length || Number(other.allow) - Number(one.allow),
  );
  return {
    isAllowed({ pathname, search }) {
      const path = upperEscapes(`${pathname}${search}`).slice(0, MAX_PATH_CHARS);
      return inOrder.find(({ pattern }) => matchesRule(pattern, path))?.allow ?? true;
    },
    delayMs: 1_000 * Math.max(0, delaySeconds),
  };
}

function parseRobotGroups(text: string): Map<string, RobotGroup> {
  const groups = new Map<string, RobotGroup>();
  let open: RobotGroup[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0 || line.trimStart().startsWith('#')) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value =
      line
        .slice(colon + 1)
        .split('#', 1)[0]
        ?.trim() ?? '';
    if (name === 'user-agent') {
      if (!isNaming) open = [];
      const agent = (value.split('/', 1)[0] ?? '').trim().toLowerCase();
      // Groups for other robots are skipped.
      if (agent === ROBOT_NAME || agent === '*') {
        const group = groups.get(agent) ?? emptyGroup();
        groups.set(agent, group);
        open.push(group);
      }
    } else if (name === 'allow' || name === 'disallow')
      for (const group of open) addRule(group, value, name === 'allow');
    else if (name === 'crawl-delay') for (const group of open) group.delaySeconds = Number(value) || 0;
    isNaming = name === 'user-agent';
  }
  return groups;
}

function emptyGroup(): RobotGroup {
  return { rules: [], wild: 0, delaySeconds: 0 };
}

function addRule(group: RobotGroup, value: string, allow: boolean): void {
  if (value === '' || value.length > MAX_RULE_CHARS || group.rules.length >= MAX_RULES) return;
  const pattern = encodeRule(value).replace(/\*+/g, '*');
  if (pattern.includes('*')) group.wild += 1;
  if (pattern.includes('*') && group.wild > MAX_WILDCARD_RULES) return;
  group.rules.push({ pattern, allow });
}

function encodeRule(value: string): string {
  try {
    return upperEscapes(encodeURI(value).replace(/%25/g, '%'));
  } catch {
    return value; // lone surrogate
  }
}

function upperEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Linear time: each piece between wildcards matches at its first position. */
function matchesRule(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !isWhole || path.length === first.length;
  const last = isWhole ? (rest.pop() ?? '') : '';
  let at = first.length;
  for (const piece of rest) {
    const found = indexOfPiece(piece, path, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** Knuth-Morris-Pratt, so that repetitive pieces stay linear. Returns -1 if not found. */
function indexOfPiece(piece: string, path: string, from: number): number {
  if (piece.length < 2) return path.indexOf(piece, from);
  const borders = [0];
  for (let at = 1, border = 0; at < piece.length; at += 1) {
    while (border > 0 && piece[at] !== piece[border]) border = borders[border - 1] ?? 0;
    if (piece[at] === piece[border]) border += 1;
    borders.push(border);
  }
  for (let at = from, length = 0; at < path.length; at += 1) {
    while (length > 0 && path[at] !== piece[length]) length = borders[length - 1] ?? 0;
    if (path[at] === piece[length]) length += 1;
    if (length === piece.length) return at + 1 - length;
  }
  return -1;
}
