/** A whole number with commas between thousands, on every machine alike. */
export function groupedDigits(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}

/** `1 conflict`, `1,204 words`. */
export function count(amount: number, noun: string): string {
  return `${groupedDigits(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
