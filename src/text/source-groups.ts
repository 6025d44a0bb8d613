import { groupBy } from '../lib/iterables';
import { isAskingWord } from './question';
import { stemOf, STOP_WORDS } from './words';

/** A single word can head a group only if it is an abbreviation. */
const ACRONYM = /^(?=.*\p{Lu}.*[\p{Lu}\p{N}])[\p{L}\p{N}-]{3,8}$/u;

/** First or last word of a phrase: a word, or a capital letter (“vitamin D”). */
const PHRASE_END = /^\p{L}{2}|^\p{Lu}$/u;

const MAX_PHRASE_WORDS = 4;

/** A longer phrase replaces a shorter one if it has this share of its sources. */
const REPLACEMENT_SHARE = 0.75;

/** The part of a title behind a colon is mostly the method, not the subject. */
const SUBTITLE = /:\s.*$/su;

const RUN_END = /[^\p{L}\p{M}\p{N}\s'’-]+/u;

/** Minimum share of complete uses: “randomised controlled” is only a part of a phrase. */
const MIN_WHOLE_SHARE = 0.5;

/** `phrase` is null for sources that share none. */
export interface SourceGroup {
  phrase: string | null;
  sourceIds: string[];
}

export interface GroupLimits {
  most: number;
  least: number;
}

const MIN_PHRASE_SOURCES = 3;
const MAX_PHRASE_SHARE = 0.5;
const MIN_GROUPED_SHARE = 0.4;

/**
 * Groups sources by shared phrases (suffix-tree clustering): the most common phrases without a common word are the
 * groups, and each source joins its rarest phrase. Returns one group without a phrase if few sources share any.
 */
export function groupSources(
  sources: readonly PhraseSource[],
  asked: ReadonlySet<string>,
  { most, least }: GroupLimits,
): SourceGroup[] {
  const ids = sources.map(({ id }) => id);
  let phrases = distinctPhrases(
    sharedPhrases(sources, asked, Math.min(least, MIN_PHRASE_SOURCES)).filter(
      ({ sourceIds }) => sourceIds.size <= MAX_PHRASE_SHARE * sources.length,
    ),
  ).slice(0, most - 1);
  let groups = assignSources(ids, phrases);
  // Dissolves a group that lost too many sources to others; its sources join their other phrases.
  for (;;) {
    const small = phrases.findLast((phrase) => (groups.get(phrase)?.length ?? 0) < least);
    if (small === undefined) break;
    phrases = phrases.filter((phrase) => phrase !== small);
    groups = assignSources(ids, phrases);
  }
  const rest = groups.get(null) ?? [];
  if (phrases.length < 2 || ids.length - rest.length < MIN_GROUPED_SHARE * ids.length)
    return [{ phrase: null, sourceIds: ids }];
  const named = phrases.map((phrase) => ({ phrase: phrase.text, sourceIds: groups.get(phrase) ?? [] }));
  return rest.length === 0 ? named : [...named, { phrase: null, sourceIds: rest }];
}

/** Most common first, without phrases that share a word with a more common one: they would attract the same sources. */
function distinctPhrases(phrases: readonly SharedPhrase[]): SharedPhrase[] {
  const kept: SharedPhrase[] = [];
  const byUse = [...phrases].sort(
    (a, b) => b.sourceIds.size - a.sourceIds.size || (a.text < b.text ? -1 : 1),
  );
  for (const phrase of byUse) {
    if (!kept.some(({ stems }) => stems.some((stem) => phrase.stems.includes(stem)))) kept.push(phrase);
  }
  return kept;
}

function assignSources(
  ids: readonly string[],
  phrases: readonly SharedPhrase[],
): Map<SharedPhrase | null, string[]> {
  const rarestFirst = [...phrases].sort((a, b) => a.sourceIds.size - b.sourceIds.size);
  return groupBy(ids, (id) => rarestFirst.find(({ sourceIds }) => sourceIds.has(id)) ?? null);
}

export interface PhraseSource {
  id: string;
  title: string;
  sentences: readonly string[];
  answers: readonly string[];
}

interface SharedPhrase {
  text: string;
  stems: readonly string[];
  sourceIds: ReadonlySet<string>;
}

interface PhraseUse {
  stems: string[];
  inAnswers: Set<string>;
  sourceIds: Set<string>;
  spellings: Map<string, number>;
  uses: number;
  whole: number;
}

/**
 * Phrases of two to four words, and abbreviations, that several titles share and that occur in the answers of nearly
 * as many sources. `asked` are the stems of the question; a phrase needs another one.
 */
export function sharedPhrases(
  sources: readonly PhraseSource[],
  asked: ReadonlySet<string>,
  least: number,
): SharedPhrase[] {
  const found = new Map<string, PhraseUse>();
  for (const { id, title } of sources) {
    for (const { words } of phrasesIn(title.replace(SUBTITLE, ''))) {
      const stems = stemsOf(words);
      const key = stems.join(' ');
      const phrase = found.get(key) ?? newPhrase(stems);
      phrase.sourceIds.add(id);
      found.set(key, phrase);
    }
  }
  for (const { id, sentences, answers } of sources) {
    for (const { words, isWhole } of sentences.flatMap(phrasesIn)) {
      const phrase = found.get(stemsOf(words).join(' '));
      if (phrase === undefined) continue;
      phrase.sourceIds.add(id);
      phrase.uses += 1;
      if (isWhole) phrase.whole += 1;
      const spelling = words.join(' ');
      phrase.spellings.set(spelling, (phrase.spellings.get(spelling) ?? 0) + 1);
    }
    for (const { words } of answers.flatMap(phrasesIn))
      found.get(stemsOf(words).join(' '))?.inAnswers.add(id);
  }
  const shared = [...found.values()].flatMap((phrase): SharedPhrase[] => {
    const { stems, inAnswers, sourceIds, spellings, uses, whole } = phrase;
    const isNew = stems.some((stem) => !asked.has(stem));
    const isShared = sourceIds.size >= least && inAnswers.size >= least - 1;
    if (!isShared || !isNew || whole < MIN_WHOLE_SHARE * uses) return [];
    return [{ text: mostCommon(spellings), stems, sourceIds }];
  });
  return shared.filter((phrase) => !shared.some((other) => replacesPhrase(other, phrase)));
}

function newPhrase(stems: string[]): PhraseUse {
  return {
    stems,
    inAnswers: new Set(),
    sourceIds: new Set(),
    spellings: new Map(),
    uses: 0,
    whole: 0,
  };
}

function stemsOf(words: readonly string[]): string[] {
  return words.map((word) => stemOf(word.toLowerCase()));
}

function replacesPhrase(longer: SharedPhrase, { stems, sourceIds }: SharedPhrase): boolean {
  return (
    longer.stems.length > stems.length &&
    ` ${longer.stems.join(' ')} `.includes(` ${stems.join(' ')} `) &&
    longer.sourceIds.size >= REPLACEMENT_SHARE * sourceIds.size
  );
}

interface PhraseCandidate {
  words: string[];
  isWhole: boolean;
}

function phrasesIn(text: string): PhraseCandidate[] {
  const runs = text.split(RUN_END).flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word !== '');
    const parted: string[][] = [[]];
    for (const word of words) {
      if (isSeparator(word)) parted.push([]);
      else parted.at(-1)?.push(word);
    }
    return parted;
  });
  return runs.flatMap((run) =>
    run.flatMap((_word, from) =>
      Array.from({ length: Math.min(MAX_PHRASE_WORDS, run.length - from) }, (_, more): PhraseCandidate => {
        const words = run.slice(from, from + more + 1);
        return { words, isWhole: from + words.length === run.length };
      }).filter(({ words }) => isPhrase(words)),
    ),
  );
}

/** “of” does not separate: “quality of life”. */
function isSeparator(word: string): boolean {
  const lower = word.toLowerCase();
  return lower !== 'of' && (STOP_WORDS.has(lower) || !/^[\p{L}\p{N}]/u.test(word));
}

function isPhrase(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (words.length === 1) return ACRONYM.test(first);
  const last = words.at(-1) ?? '';
  if (isAskingWord(last)) return false;
  return [first, last].every((word) => PHRASE_END.test(word) && !STOP_WORDS.has(word.toLowerCase()));
}

function mostCommon(spellings: ReadonlyMap<string, number>): string {
  const [best] = [...spellings].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best?.[0] ?? '';
}
