/** What the record of an id holds: from a few to some thousand characters, so that pages are shared and overflow. */
export function recordText(id: string): string {
  const length = Array.from(id).reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return `${id} `.repeat(1 + (length % 90) * (length % 7 === 0 ? 5 : 1));
}
