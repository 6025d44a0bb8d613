import { looksAdjectival } from './adjectives';
import type { Collection } from './collection';
import type { Phrase } from './phrases';
import type { TermSpace } from './term-space';

const VERB_OR_NOUN =
  /^(?:supports|uses|changes|controls|works|risks|practices|challenges|demands|benefits|attempts|outputs|returns|accesses|queries|requests)$/;
/** A phrase of everyday words is a term where this share of each word's uses is in it. */
const STICKY = 0.35;

/** A single word is a heading where it often stands without a partner: `probiotics`, not `composition`; and in titles. */
const STANDS_ALONE = 0.35;
const STANDS_ALONE_IN_FEW = 0.25;
const TITLED = 0.3;

/** A phrase that stands in a longer one in this share of its sources is a part of it. */
const NESTED = 0.7;

/** Which terms could stand in a heading: noun phrases with a specific word, complete at both ends. */
export function headingTerms(space: TermSpace): number[] {
  const { collection } = space;
  const classes = stemClasses(collection);
  const forms = stemForms(collection);
  const titlesTell =
    collection.sources.filter((source) => source.titleLength >= 5).length > collection.sources.length / 2;
  const wordCounts = new Map(
    space.phrases
      .filter((phrase) => phrase.stems.length === 1)
      .map((phrase) => [phrase.stems[0], phrase.count]),
  );
  const isFew = collection.sources.length < 60;
  const thirdPerson = new Set(
    collection.spellings
      .filter(({ lower }) => /[^s]s$/.test(lower) && VERB_OR_NOUN.test(lower))
      .map(({ stem }) => stem),
  );
  const nested = nestedKeys(space.phrases);
  // `physical activity`: two everyday words that mostly stand together are a term; `health outcomes` is not.
  const isSticky = (phrase: Phrase): boolean =>
    phrase.titleCount >= 3 &&
    phrase.stems.every((stem) => phrase.count >= STICKY * (wordCounts.get(stem) ?? Infinity));
  return space.phrases.flatMap((phrase, term) =>
    (phrase.titleCount > 0 || !titlesTell) &&
    !nested.has(phrase.key) &&
    isHeading(phrase, classes, forms, isSticky(phrase), titlesTell, isFew, thirdPerson)
      ? [term]
      : [],
  );
}

function isHeading(
  phrase: Phrase,
  classes: readonly ('heavy' | 'light' | 'other')[],
  forms: readonly string[],
  sticky: boolean,
  titlesTell: boolean,
  isFew: boolean,
  thirdPerson: ReadonlySet<number>,
): boolean {
  const kinds = phrase.stems.map((stem) => classes[stem] ?? 'other');
  if (!kinds.includes('heavy') && !(kinds.length > 1 && sticky)) return false;
  if (new Set(phrase.stems).size < phrase.stems.length) return false;
  const first = phrase.stems[0] ?? -1;
  // `supports Deno`: an everyday word with an s before another word is a verb.
  if (kinds.length > 1 && kinds[0] === 'light' && thirdPerson.has(first)) return false;
  const last = phrase.stems.at(-1) ?? -1;
  const lastForm = forms[last] ?? '';
  if (kinds[0] === 'other' && forms[first] !== 'type') return false;
  if (/^\p{L}?$/u.test(forms[first] ?? '') && !/^type$/.test(forms[first] ?? '')) return false;
  const endsInName = /^(?:\p{L}|\d{1,2})$/u.test(lastForm);
  if (kinds.at(-1) === 'other' && !endsInName) return false;
  if (/^\d/.test(lastForm) && !endsInName) return false;
  // Where only `and` follows, nothing is known of where the noun phrase ends.
  const finals = phrase.plainCount === 0 ? 0.5 : phrase.finalCount / phrase.plainCount;
  if (phrase.stems.length === 1) {
    return (
      lastForm.length >= 3 &&
      phrase.freeCount >= (isFew ? STANDS_ALONE_IN_FEW : STANDS_ALONE) * phrase.plainCount &&
      (!titlesTell || phrase.titleCount >= (isFew ? 2 : TITLED * phrase.sources.length)) &&
      !/^\p{L}+-\p{L}$/u.test(lastForm) &&
      (!looksAdjectival(lastForm) || finals >= 0.75)
    );
  }
  return finals >= (looksAdjectival(lastForm) ? 0.7 : 0.4);
}

/** The class of each stem; a stem is heavy where any of its spellings is. */
export function stemClasses(collection: Collection): ('heavy' | 'light' | 'other')[] {
  const classes = new Array<'heavy' | 'light' | 'other'>(collection.stems.length).fill('other');
  for (const { stem, wordClass } of collection.spellings) {
    if (wordClass === 'heavy') classes[stem] = 'heavy';
    else if (wordClass === 'light' && classes[stem] === 'other') classes[stem] = 'light';
  }
  return classes;
}

/** One written form of each stem, its first by alphabet. */
function stemForms(collection: Collection): string[] {
  const forms = new Array<string>(collection.stems.length).fill('');
  for (const { stem, lower } of collection.spellings) {
    const known = forms[stem] ?? '';
    if (known === '' || lower < known) forms[stem] = lower;
  }
  return forms;
}

/** Phrases that hardly occur outside a longer one: `mineral density` of `bone mineral density`. */
function nestedKeys(phrases: readonly Phrase[]): Set<string> {
  const sourceCounts = new Map(phrases.map((phrase) => [phrase.key, phrase.sources.length]));
  const nested = new Set<string>();
  for (const phrase of phrases) {
    for (let length = 1; length < phrase.stems.length; length++) {
      for (let start = 0; start + length <= phrase.stems.length; start++) {
        const key = phrase.stems.slice(start, start + length).join(' ');
        if (phrase.sources.length >= NESTED * (sourceCounts.get(key) ?? Infinity)) nested.add(key);
      }
    }
  }
  return nested;
}
