/** `1 source`, `3 sources`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `one more source`, `3 more sources`. */
export function moreSources(amount: number): string {
  return amount === 1 ? 'one more source' : `${amount} more sources`;
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** `second` for the place 1. */
export function ordinal(at: number): string {
  return ORDINALS[at] ?? `${at + 1}th`;
}
