/**
 * What stands in a text where so many of its sentences were set aside, one after the other. It repeats nothing of them: a reader
 * who passes the text on passes on no claim that its sources do not bear.
 */
export function asideNote(amount: number): string {
  return amount === 1 ? '(one sentence was set aside here)' : `(${amount} sentences were set aside here)`;
}

/** What `asideNote` writes, with the blank before it, as the source of a regular expression. */
export const ASIDE_NOTE = ' ?\\((?:one sentence was|\\d+ sentences were) set aside here\\)';
