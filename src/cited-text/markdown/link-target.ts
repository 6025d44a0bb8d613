export interface LinkTarget {
  url: string;
  /** Where the text goes on behind it. */
  next: number;
}

const LONGEST = 4000;
/** No address has more brackets within each other. */
const DEEPEST = 8;
const TITLE = /^[ \t\n]+(?:"[^"]*"|'[^']*'|\([^()]*\))[ \t\n]*\)/;

/** The address in `(…)` behind a link's words; null where none stands there. */
export function linkTargetAt(raw: string, at: number): LinkTarget | null {
  if (raw.charAt(at) !== '(') return null;
  let start = at + 1;
  while (/[ \t\n]/.test(raw.charAt(start))) start += 1;
  const isPointed = raw.charAt(start) === '<';
  const end = isPointed ? raw.indexOf('>', start) : addressEnd(raw, start);
  if (end < 0 || end - start > LONGEST) return null;
  const url = raw.slice(isPointed ? start + 1 : start, end);
  const behind = isPointed ? end + 1 : end;
  if (raw.charAt(behind) === ')') return { url, next: behind + 1 };
  const rest = raw.slice(behind, behind + 600);
  const title = TITLE.exec(rest) ?? /^[ \t\n]+\)/.exec(rest);
  return title === null ? null : { url, next: behind + title[0].length };
}

/** White space, or the bracket that closes what was not opened within, ends an address. */
function addressEnd(raw: string, start: number): number {
  let depth = 0;
  for (let at = start; at < raw.length && at - start <= LONGEST; at += 1) {
    const character = raw.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '(' && (depth += 1) > DEEPEST) return -1;
    else if (character === ')' && (depth -= 1) < 0) return at;
    else if (/\s/.test(character)) return depth === 0 ? at : -1;
  }
  return -1;
}
