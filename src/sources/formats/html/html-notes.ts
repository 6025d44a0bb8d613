import {
  attributeOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isWithin,
  childrenOf,
  textOf,
} from './html-tree';

/** What the numbers of a page lead to, such as footnotes and the entries of a list of sources: by what each is cited. */
export type HtmlNotes = ReadonlyMap<HtmlElement, string>;

/** `1`, `[1]`, `(1)`, `*`, `a`. */
const MARK = /^[[(]?\s*(\d{1,4}|[*†‡§¶]{1,3}|[a-z])\s*[\])]?[.,;]?$/i;
/** What may be a note as a whole; others where they begin with the mark, for any paragraph may be led to. */
const NOTES = new Set(['li', 'dd', 'aside']);
const MARKED_NOTES = new Set(['p', 'div', 'td']);
/** An anchor may stand in a note's place, as its first words. */
const ANCHORS = new Set(['a', 'span', 'sup']);
const LONGEST = 3_000;

/** A link of a number is a citation where it leads to a note within the page; of a list with such a note, each item is one. */
export function notesOf(page: HtmlNode): { notes: HtmlNotes; cited: (link: HtmlElement) => string | null } {
  const places = new Map<string, HtmlElement>();
  for (const element of elementsIn(page, () => true))
    for (const name of [attributeOf(element, 'id'), attributeOf(element, 'name')])
      if (name !== null && !places.has(name)) places.set(name, element);
  const notes = new Map<HtmlElement, string>();
  const links = new Map<HtmlElement, string>();
  const taken = new Map<string, number>();
  const add = (note: HtmlElement, wanted: string): string => {
    const known = notes.get(note);
    if (known !== undefined) return known;
    const times = taken.get(wanted) ?? 0;
    taken.set(wanted, times + 1);
    const label = times === 0 ? wanted : `${wanted}-${times + 1}`;
    notes.set(note, label);
    return label;
  };
  const knownNotes = new Map<HtmlElement, HtmlElement | null>();
  for (const link of elementsIn(page, ({ tagName }) => tagName === 'a')) {
    const mark = MARK.exec(textOf(link))?.[1];
    const place = mark === undefined ? undefined : places.get(placeOf(link) ?? '');
    if (mark === undefined || place === undefined) continue;
    const known = knownNotes.get(place);
    const note = known === undefined ? noteAt(place, mark) : known;
    knownNotes.set(place, note);
    if (note !== null && !isWithin(link, note)) links.set(link, add(note, /\w/.test(mark) ? mark : 'note'));
  }
  const lists = new Set(
    [...notes.keys()].flatMap(({ tagName, parentNode }) => (tagName === 'li' ? [parentNode] : [])),
  );
  for (const list of lists)
    for (const item of list === null ? [] : childrenOf(list))
      if (isElement(item) && item.tagName === 'li') add(item, 'uncited');
  return { notes, cited: (link) => links.get(link) ?? null };
}

/** Where a link leads within the page. */
export function placeOf(link: HtmlElement): string | null {
  const href = attributeOf(link, 'href')?.trim() ?? '';
  if (!href.startsWith('#') || href === '#') return null;
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1); // as it is written
  }
}

function noteAt(place: HtmlElement, mark: string): HtmlElement | null {
  const above = place.parentNode;
  const isFirst =
    ANCHORS.has(place.tagName) && above !== null && isElement(above) && beginsWith(above, place);
  const note = isFirst ? above : place;
  if (!isElement(note) || !(NOTES.has(note.tagName) || MARKED_NOTES.has(note.tagName))) return null;
  const text = textOf(note);
  if (MARKED_NOTES.has(note.tagName) && !text.replace(/^[\s[(^]+/, '').startsWith(mark)) return null;
  const isShort = text.length > 0 && text.length <= LONGEST;
  return isShort && elementsIn(note, ({ tagName }) => /^h[1-6]$/.test(tagName)).length === 0 ? note : null;
}

function beginsWith(above: HtmlElement, place: HtmlElement): boolean {
  return childrenOf(above).find((child) => isElement(child) || textOf(child) !== '') === place;
}
