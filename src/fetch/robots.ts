/** What robots.txt calls us (RFC 9309: the product's name alone). */
const ROBOT_NAME = 'colligate';

/** As much of a robots.txt as is read; what is behind it is left out (RFC 9309, 2.5). */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** More rules, and longer ones, say nothing to a program that reads some pages: they are left out. */
const MOST_RULES = 10_000;
/** Each may be looked for anywhere in a path. */
const MOST_WILD_RULES = 1_000;
const LONGEST_RULE = 2_000;
/** What is longer is no address of a page; whether it is allowed is told by its start. */
const LONGEST_PATH = 8_000;

export interface RobotRules {
  isAllowed: (url: URL) => boolean;
  /** Between two requests; 0 where it does not say. */
  delayMs: number;
}

export const ALLOWS_ALL: RobotRules = { isAllowed: () => true, delayMs: 0 };

interface Group {
  rules: { pattern: string; allow: boolean }[];
  /** How many of them have a `*`. */
  wild: number;
  delaySeconds: number;
}

/** The rules for us, else those for everybody. Of those that fit an address the longest counts, and of two as long the one that allows. */
export function robotRules(text: string): RobotRules {
  const groups = groupsIn(text);
  const { rules, delaySeconds } = groups.get(ROBOT_NAME) ?? groups.get('*') ?? emptyGroup();
  const inOrder = rules.sort(
    (one, other) => other.pattern.length - one.pattern.length || Number(other.allow) - Number(one.allow),
  );
  return {
    isAllowed({ pathname, search }) {
      const path = upperEscapes(`${pathname}${search}`).slice(0, LONGEST_PATH);
      return inOrder.find(({ pattern }) => fits(pattern, path))?.allow ?? true;
    },
    delayMs: 1_000 * Math.max(0, delaySeconds),
  };
}

function groupsIn(text: string): Map<string, Group> {
  const groups = new Map<string, Group>();
  let open: Group[] = [];
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
      // Of what is said to others nothing is kept.
      if (agent === ROBOT_NAME || agent === '*') {
        const group = groups.get(agent) ?? emptyGroup();
        groups.set(agent, group);
        open.push(group);
      }
    } else if (name === 'allow' || name === 'disallow')
      for (const group of open) add(group, value, name === 'allow');
    else if (name === 'crawl-delay') for (const group of open) group.delaySeconds = Number(value) || 0;
    isNaming = name === 'user-agent';
  }
  return groups;
}

function emptyGroup(): Group {
  return { rules: [], wild: 0, delaySeconds: 0 };
}

function add(group: Group, value: string, allow: boolean): void {
  if (value === '' || value.length > LONGEST_RULE || group.rules.length >= MOST_RULES) return;
  // Several in a row say what one does.
  const pattern = encoded(value).replace(/\*+/g, '*');
  if (pattern.includes('*')) group.wild += 1;
  if (pattern.includes('*') && group.wild > MOST_WILD_RULES) return;
  group.rules.push({ pattern, allow });
}

function encoded(value: string): string {
  try {
    return upperEscapes(encodeURI(value).replace(/%25/g, '%'));
  } catch {
    return value; // half a surrogate pair
  }
}

function upperEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/**
 * Whether a rule fits a path, in a time that grows with the length of both together: each piece between wildcards stands at its first
 * place behind the one before.
 */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !isWhole || path.length === first.length;
  const last = isWhole ? (rest.pop() ?? '') : '';
  let at = first.length;
  for (const piece of rest) {
    const found = placeOf(piece, path, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** Where a piece stands first (Knuth, Morris and Pratt), so that pieces that repeat themselves take no longer than others; -1 where nowhere. */
function placeOf(piece: string, path: string, from: number): number {
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
