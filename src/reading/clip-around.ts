/** At most so many characters of a text, the stretch that matters among them. */
export function clippedAround(text: string, stretch: string, most: number): string {
  if (text.length <= most) return text;
  const at = Math.max(0, text.indexOf(stretch));
  const fitsFirst = at + stretch.length <= most;
  const from = fitsFirst ? 0 : at - Math.floor((most - stretch.length) / 2);
  return text.slice(Math.max(0, from), Math.max(0, from) + most).trim();
}
