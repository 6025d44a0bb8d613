import type { PageRange } from '../../contracts/answer/answer-passage';
import { append } from '../../core/values/append';
import { groupedBy } from '../../core/values/grouped-by';
import { type Span, splitSentences } from '../../language/sentences';
import { nameAndPages } from './observed-fields';

interface AttributedPlace {
  /** A file's name, or an address; null for what is attributed to nothing. */
  source: string | null;
  pages: PageRange | null;
}

export interface AttributedText extends AttributedPlace {
  text: string;
}

/** What stands in brackets and belongs to no link. */
const BRACKETS = /(?<!\])\((?<round>[^()\n]{3,400})\)|\[(?<square>[^[\]\n]{3,400})\](?!\()/g;
const NAMED = /^\s*sources?\s*:\s*/i;
const ADDRESS = /^https?:\/\/\S+$/i;
const FILE = /\S\.(?:pdf|docx?|html?|txt|md)$/i;
const NOWHERE: AttributedPlace = { source: null, pages: null };

/**
 * A text as document 001's agents write it, by the places that it gives: `(Source: x.pdf, Page 3)`, `[Source: https://…]`, `(x.pdf)`,
 * `[https://…]`. One within a sentence is the sentence's; one behind its end is that of all sentences of the paragraph since the place
 * before. A sentence of two places is said by both. A text that gives none stays as it is.
 */
export function splitAttributions(text: string): AttributedText[] {
  const parts = text.split(/\n[^\S\n]*\n/).flatMap(ofParagraph);
  if (parts.every(({ source }) => source === null)) return [{ ...NOWHERE, text }];
  const unplaced = parts.filter(({ source }) => source === null).map((part) => part.text);
  const placed = parts.filter(({ source }) => source !== null);
  return unplaced.length === 0 ? placed : [...placed, { ...NOWHERE, text: unplaced.join('\n\n') }];
}

function ofParagraph(paragraph: string): AttributedText[] {
  const { text, given } = withoutPlaces(paragraph);
  if (given.length === 0) return [{ ...NOWHERE, text }];
  const sentences = splitSentences(text).map((span) => ({ ...span, places: [] as AttributedPlace[] }));
  let from = 0;
  for (const { at, places } of given) {
    const own = sentences.findLast(({ start }) => start < at);
    if (own === undefined) continue;
    const to = sentences.indexOf(own) + 1;
    const isBehind = at >= own.end && /[.!?…]["”’]?$/u.test(text.slice(own.start, own.end));
    const meant = isBehind && from < to ? sentences.slice(from, to) : [own];
    for (const sentence of meant) append(sentence.places, places);
    from = to;
  }
  const told = sentences.flatMap(({ places, ...span }) =>
    (places.length === 0 ? [NOWHERE] : places).map((place) => ({ ...span, place })),
  );
  return [...groupedBy(told, ({ place }) => JSON.stringify(place)).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first.place, text: joined(group, text) }];
  });
}

/** Spans of a text, with the white space that parts them there where nothing else does. */
function joined(spans: readonly Span[], text: string): string {
  return spans
    .map(({ start, end }, at) => {
      const between = text.slice(spans[at - 1]?.end ?? start, start);
      return `${between.trim() === '' ? between : ' '}${text.slice(start, end)}`;
    })
    .join('');
}

function withoutPlaces(paragraph: string): {
  text: string;
  given: { at: number; places: AttributedPlace[] }[];
} {
  let text = '';
  let end = 0;
  const given: { at: number; places: AttributedPlace[] }[] = [];
  for (const match of paragraph.matchAll(BRACKETS)) {
    const places = placesIn(match.groups?.round ?? match.groups?.square ?? '');
    if (places.length === 0) continue;
    text = (text + paragraph.slice(end, match.index)).trimEnd();
    end = match.index + match[0].length;
    given.push({ at: text.length, places });
  }
  return { text: text + paragraph.slice(end), given };
}

/** The places that brackets name, parted by semicolons; none where any of it is something else. */
function placesIn(words: string): AttributedPlace[] {
  const isNamed = NAMED.test(words);
  const places = words
    .replace(NAMED, '')
    .split(';')
    .map((part) => nameAndPages(part.trim()));
  const isPlace = ({ name, pages }: (typeof places)[number]): boolean =>
    ADDRESS.test(name) || FILE.test(name) || (isNamed && name !== '' && pages !== null);
  if (!places.every(isPlace)) return [];
  return places.map(({ name, pages }) => ({ source: name, pages }));
}
