import type { Language } from '../contracts/run/language';
import { stored as english } from './english/stored';
import { stored as german } from './german/stored';
import { filled, type Holes, readerOf, type Template } from './template';

type Key = keyof typeof english;

const OF_LANGUAGE: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<Key, Template>>>> = {
  de: german,
};
/** Between the first and the last part. */
export const TO = ' – ';
/** Not within a name, which stands in quotation marks. */
const BETWEEN = new RegExp(`${TO}(?![^“]*”)`);
const ENGLISH_PLURALS = new Intl.PluralRules('en');

/** A text that is stored with what a run finds, with what stands in its holes. */
export function storedText<K extends Key>(
  key: K,
  ...[holes]: [Holes<(typeof english)[K]>] extends [never]
    ? []
    : [holes: Record<Holes<(typeof english)[K]>, string | number>]
): string {
  return filled(english[key], holes ?? {}, ENGLISH_PLURALS);
}

/**
 * A stored text in a language: each of its sentences that `storedText` wrote, and what stands in their holes; anything else, such as
 * what a model or a source says, stays as it is.
 */
export function translated(text: string, language: Language | undefined): string {
  if (language === undefined || language === 'en') return text;
  return sentenceIn(text, language) ?? sentencesIn(text, language) ?? listIn(text, language) ?? text;
}

/** Where something stands in a source, from one of its parts to another where it goes over several. */
export function translatedPlace(place: string, language: Language | undefined): string {
  return place
    .split(BETWEEN)
    .map((part) => translated(part, language))
    .join(TO);
}

function sentenceIn(text: string, language: keyof typeof OF_LANGUAGE): string | null {
  for (const { key, read } of readers()) {
    const holes = read(text);
    if (holes === null) continue;
    const own = Object.entries(holes).map(([name, said]) => [name, holeIn(said, language)] as const);
    const there: Record<string, string> = Object.fromEntries(own);
    return filled(OF_LANGUAGE[language][key], there, new Intl.PluralRules(language));
  }
  return null;
}

/** A title within a sentence has lost its capital, and a reason that stands by itself has won one. */
function holeIn(said: string, language: keyof typeof OF_LANGUAGE): string {
  const own = translated(said, language);
  if (own !== said) return own;
  const first = said.charAt(0);
  const others = [first.toUpperCase(), first.toLowerCase()].filter((letter) => letter !== first);
  const [told] = others.flatMap((letter) => sentenceIn(letter + said.slice(1), language) ?? []);
  return told ?? said;
}

function listIn(text: string, language: keyof typeof OF_LANGUAGE): string | null {
  const items = text.split('; ');
  return items.length === 1 ? null : items.map((item) => sentenceIn(item, language) ?? item).join('; ');
}

function sentencesIn(text: string, language: keyof typeof OF_LANGUAGE): string | null {
  const ends = [...text.matchAll(/[.?] /g)].map(({ index }) => index + 1);
  for (const end of ends) {
    const first = sentenceIn(text.slice(0, end), language);
    if (first !== null) return `${first} ${translated(text.slice(end + 1), language)}`;
  }
  return null;
}

let known: { key: Key; read: ReturnType<typeof readerOf> }[] | undefined;

/** Made when they are first needed: most runs are in the language in which all is stored. */
function readers(): NonNullable<typeof known> {
  known ??= (Object.keys(english) as Key[]).map((key) => ({ key, read: readerOf(english[key]) })); // the keys of a constant
  return known;
}
