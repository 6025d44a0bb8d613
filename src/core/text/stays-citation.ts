/** What GFM leaves out of an address, where nothing but this stands between its bracket and a space. */
const LINK_END = /[!"&'),.:;<>?\]}]*(?:[ \t\r\n]|$)/y;

/** Whether what follows makes no more of a bracket: no link with its target, no definition, no longer address. */
export function staysCitation(marks: string, text: string, start: number, end: number): boolean {
  if (text[end] === '(') return false;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (text[end] === ':' && !/[\p{L}\p{N}]/u.test(before)) return false;
  if (!marks.includes('://')) return true;
  LINK_END.lastIndex = end;
  return LINK_END.test(text);
}
