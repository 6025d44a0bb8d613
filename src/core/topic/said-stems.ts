/** From this length on an asked word is found in longer words, too: `arthritis` in `osteoarthritis`. */
const LEAST_LENGTH = 7;
/** What comes before it there: `osteo`, not `in` or `dis`. */
const LEAST_BEFORE = 4;

/** Whether a word is said among stems, as it is or within a longer word. */
export function isSaid(stem: string, stems: ReadonlySet<string>): boolean {
  if (stems.has(stem)) return true;
  if (stem.length < LEAST_LENGTH) return false;
  const root = rootOf(stem);
  for (const other of stems) if (other.indexOf(root, LEAST_BEFORE) >= 0) return true;
  return false;
}

/** Whether one stem is a longer word of what is asked. */
export function isLongerWord(stem: string, asked: string): boolean {
  return asked.length >= LEAST_LENGTH && stem.indexOf(rootOf(asked), LEAST_BEFORE) >= 0;
}

/** Stemming leaves different ends of one word: `arthriti`, `osteoarthr`. */
function rootOf(stem: string): string {
  return stem.replace(/(?:iti|it|i)$/, '');
}
