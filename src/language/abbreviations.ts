const IN_BRACKETS = /\(([\p{L}\p{N}-]{2,10})\)/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** An abbreviation of so many letters stands for at most so many words more than it has letters. */
const EXTRA_WORDS = 2;

/** What a text shortens, as `language model (LM)`: each abbreviation in lower case, without the s of its plural, with its words. */
export function abbreviationsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { 1: short = '', index } of text.matchAll(IN_BRACKETS)) {
    if (!/\p{Lu}/u.test(short)) continue;
    const key = abbreviationKey(short);
    const before = text.slice(Math.max(0, index - 120), index).match(WORD) ?? [];
    const words = longForm(key, before.slice(-(key.length + EXTRA_WORDS)));
    if (words !== null && !found.has(key)) found.set(key, words);
  }
  return found;
}

export function abbreviationKey(name: string): string {
  return name
    .replace(/s$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * The shortest run of last words whose letters hold the abbreviation in order, its first letter at the beginning of the first
 * (Schwartz and Hearst 2003).
 */
function longForm(short: string, words: readonly string[]): string[] | null {
  for (let from = words.length - 1; from >= 0; from -= 1) {
    const run = words.slice(from);
    if (holdsInOrder(run.join('').toLowerCase(), short) && run[0]?.[0]?.toLowerCase() === short[0])
      return run;
  }
  return null;
}

function holdsInOrder(letters: string, wanted: string): boolean {
  let at = 0;
  for (const letter of letters) if (letter === wanted[at]) at += 1;
  return at === wanted.length;
}
