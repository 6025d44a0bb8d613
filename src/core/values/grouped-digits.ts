/** A whole number with commas between thousands, on every machine alike. */
export function groupedDigits(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}
