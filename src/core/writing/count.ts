/** `1 source`, `3 sources`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `one source`, `three sources`: for sentences whose figures are to be the sources' own. */
export function countInWords(amount: number, noun: string): string {
  return `${NUMBERS[amount] ?? 'many'} ${noun}${amount === 1 ? '' : 's'}`;
}
