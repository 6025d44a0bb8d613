import { splitSentences } from '../../language/sentences';
import { terms } from '../../language/words';
import titleWords from './data/title-words.json';

/** What stands behind them in a title says what the study is called, or how it was made. */
const PART_ENDS = /[:?!;()[\]†☆]|\.$|\s[-–—]\s|—|,\s/;
/** More is read in the list of sources. */
const MOST_WORDS = 8;
const anyOf = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');
const [ofStudies, ofChange] = [anyOf(titleWords.ofStudies), anyOf(titleWords.ofChange)];

/**
 * In whom, or on what, a source has what it found, in the words of its title: `in patients with chronic hepatitis C`. Null where the
 * quote says so itself, or the title does not.
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
  const at = words.findLastIndex((word) => openings.includes(word.toLowerCase()));
  const phrase = words.slice(at).join(' ');
  if (at < Number(opensTitle) || at === words.length - 1) return null;
  // `A reduction in blood pressure`, `in 2019`, `in the long run` say of nobody that it was so in him.
  const isOfNobody =
    ofStudies.test(phrase) || ofChange.test(words[at - 1] ?? '') || /^\S+ [\d–-]+$/.test(phrase);
  return isOfNobody ? null : phrase;
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
  const [opening = '', ...words] = phrase.split(' ');
  const cut = words.length > MOST_WORDS ? [...words.slice(0, MOST_WORDS), '…'] : words;
  return [opening.toLowerCase(), ...cut].join(' ');
}
