const DEFINITION = /\(([A-Z][A-Za-z0-9-]{1,7})(?:[;,][^)]*)?\)/g;

/**
 * The abbreviations that a text defines as `bone mineral density (BMD)`, by abbreviation. The words before the bracket
 * must begin with its letters in order, so that `(USA)` or `(Table 2)` define nothing.
 */
export function acronymsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const match of text.matchAll(DEFINITION)) {
    const short = match[1] ?? '';
    if (found.has(short) || !/[A-Z].*[A-Z]/.test(short)) continue;
    const long = longForm(short, text.slice(Math.max(0, match.index - 90), match.index));
    if (long !== null) found.set(short, long);
  }
  return found;
}

function longForm(short: string, before: string): string | null {
  const letters = short
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/s$/, '');
  const words = [...before.matchAll(/[\p{L}\p{N}]+/gu)];
  const initials = words.map((word) => word[0].charAt(0).toLowerCase());
  const most = Math.min(words.length, letters.length + 3);
  for (let count = 2; count <= most; count += 1) {
    const from = words.length - count;
    if (initials[from] !== letters.charAt(0) || !inOrder(letters, initials.slice(from))) continue;
    return before.slice(words[from]?.index ?? 0).trim();
  }
  return null;
}

/** Whether the letters come in this order among the initials, leaving out small words. */
function inOrder(letters: string, initials: readonly string[]): boolean {
  let next = 0;
  for (const initial of initials) if (initial === letters.charAt(next)) next += 1;
  return next === letters.length;
}

/**
 * Lends sources each other's definitions: an abbreviation that all who define it spell out alike means the same to a
 * source that uses it unexplained, or whose explanation lies outside the passages that were read.
 */
export function shareAcronyms<Key>(
  own: ReadonlyMap<Key, ReadonlyMap<string, string>>,
): Map<Key, ReadonlyMap<string, string>> {
  const agreed = new Map<string, string | null>();
  for (const definitions of own.values()) {
    for (const [short, long] of definitions) {
      const known = agreed.get(short);
      const same = known === undefined || known?.toLowerCase() === long.toLowerCase();
      agreed.set(short, same ? long : null);
    }
  }
  const shared = [...agreed].flatMap(([short, long]) => (long === null ? [] : [[short, long] as const]));
  return new Map([...own].map(([key, definitions]) => [key, new Map([...shared, ...definitions])]));
}

/** The text with each known abbreviation written in full. */
export function expandAcronyms(text: string, acronyms: ReadonlyMap<string, string>): string {
  if (acronyms.size === 0) return text;
  return text.replace(
    /[A-Z][A-Za-z0-9-]{1,7}/g,
    (word) => acronyms.get(word) ?? acronyms.get(word.replace(/s$/, '')) ?? word,
  );
}
