const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
]);
const ENTITY = /&(?:#(\d{1,5})|#x([0-9a-f]{1,4})|([a-z]{2,6}));/iy;

/** The character for which `&…;` stands at a place of a text; null where none is known. */
export function entityAt(text: string, at: number): { character: string; end: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return null;
  const [, decimal, hexadecimal, name = ''] = match;
  const code = decimal ?? (hexadecimal === undefined ? undefined : String(Number.parseInt(hexadecimal, 16)));
  const character = code === undefined ? NAMED.get(name) : String.fromCharCode(Number(code));
  return character === undefined ? null : { character, end: ENTITY.lastIndex };
}
