import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';
import titleWords from './data/title-words.json';

/** What stands behind them in a title says what the study is called, or how it was made. */
const PART_ENDS = /[:?!;()[\]†☆]|\.$|\s[-–—]\s|—|,\s/;
/** More is read in the list of sources. */
const MOST_WORDS = 8;
const anyOf = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');
const [ofStudies, ofChange] = [anyOf(titleWords.ofStudies), anyOf(titleWords.ofChange)];
const being = new RegExp(`^(?:${titleWords.beings.join('|')})$`, 'i');
/** What else stands behind a being is no more said of it: `patients respond`, `elderly care`. */
const ofBeing = new RegExp(`^(?:${titleWords.ofBeings.join('|')}|\\p{L}+(?:ed|ing))$`, 'iu');
const OPENINGS = titleWords.ofWhat.flat();

/**
 * In whom a source has what it found, in the words of its title: `in patients with chronic hepatitis C`. Null where the quote says so
 * itself, or the title names nobody and no place: `on pain and infections` is what was looked at.
 */
export function inWhom(quote: string, title: string): string | null {
  const parts = splitSentences(title).flatMap(({ text }) => text.split(PART_ENDS).map((part) => part.trim()));
  for (const openings of titleWords.ofWhat) {
    const [phrase] = parts.flatMap((part, at) => lastPhrase(part, openings, at === 0) ?? []);
    if (phrase !== undefined) return saysAll(quote, phrase) ? null : shortened(phrase);
  }
  return null;
}

/** What a title begins with is its subject. */
function lastPhrase(part: string, openings: readonly string[], opensTitle: boolean): string | null {
  const words = part.split(/\s+/);
  const opens = words.findLastIndex((word) => openings.includes(word.toLowerCase()));
  if (opens < Number(opensTitle)) return null;
  const who = words.findIndex((word, at) => at > opens && being.test(word));
  // `In a diet for older people` it is these.
  const from = words.findLastIndex((word, at) => at < who && OPENINGS.includes(word.toLowerCase()));
  const ends = words.findIndex(
    (word, at) => at > who && titleWords.behindBeings.includes(word.toLowerCase()),
  );
  const to = ends < 0 ? words.length : ends;
  const behind = words.find((word, at) => at > who && at < to && !being.test(word)) ?? '';
  // `A reduction in blood pressure of men`, `in two trials of men` say of nobody that it was so in him.
  const isOfNobody =
    who < 0 ||
    (behind !== '' && !ofBeing.test(behind)) ||
    ofStudies.test(words.slice(from, who).join(' ')) ||
    ofChange.test(words[from - 1] ?? '');
  // `Prices in Sweden`: where.
  if (isOfNobody && namesPlace(words, opens)) return words.slice(opens + 1).join(' ');
  return isOfNobody ? null : words.slice(from + 1, to).join(' ');
}

/** A name, such as that of a country, is known by its capitals where a title has them at names alone. */
function namesPlace(words: readonly string[], opens: number): boolean {
  const isName = (word: string): boolean => /^\p{Lu}\p{Ll}/u.test(word);
  const named = words.slice(opens + 1).filter((word) => word.toLowerCase() !== 'the');
  const before = words.slice(1, opens);
  return /^in$/i.test(words[opens] ?? '') && named.length > 0 && named.every(isName) && !before.some(isName);
}

/** What a quote has most words of need not be told beside it. */
const MOST = 0.5;

function saysAll(quote: string, phrase: string): boolean {
  const said = new Set(terms(quote));
  const named = terms(phrase);
  const initials = phrase.replace(/(\p{L})[\p{L}'’]*[^\p{L}]*/gu, '$1').toUpperCase();
  const shortForms = quote.match(/\b\p{Lu}{3,}\b/gu) ?? [];
  return (
    named.filter((word) => said.has(word)).length > MOST * named.length ||
    shortForms.some((short) => initials.includes(short))
  );
}

function shortened(phrase: string): string {
  const words = phrase.split(' ');
  const cut = words.length > MOST_WORDS ? [...words.slice(0, MOST_WORDS), '…'] : words;
  return ['in', ...cut].join(' ');
}
