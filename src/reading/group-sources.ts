import { type PhraseSource, type SharedPhrase, sharedPhrases } from './shared-phrases';

/** Sources under the phrase that they share; `phrase` is null for those that share none. */
export interface SourceGroup {
  phrase: string | null;
  sourceIds: string[];
}

export interface GroupLimits {
  /** Groups, the one without a phrase included. */
  most: number;
  /** Sources of a group. */
  least: number;
}

/** A phrase that nearly all share parts nothing. */
const MOST_SHARE = 0.5;
/** How well a heading reads, by the number of its words: single words are mostly too general for one. */
const READS_WELL = [0, 0.35, 1, 1, 0.9];
const LONG_WORD = 8;
/** Groups are worth having where so many sources have a phrase. */
const WORTH_GROUPING = 0.5;

/**
 * Parts sources by the phrases that they share, as suffix-tree clustering does: the phrase that brings most sources together
 * first, then the one that brings most of those that are left. Where few share anything there is one group without a phrase.
 */
export function groupSources(
  sources: readonly PhraseSource[],
  asked: ReadonlySet<string>,
  { most, least }: GroupLimits,
): SourceGroup[] {
  const left = new Map(sources.map((source) => [source.id, source]));
  const candidates = sharedPhrases(sources, asked, least).filter(
    ({ sourceIds }) => sourceIds.size <= MOST_SHARE * sources.length,
  );
  const groups: SourceGroup[] = [];
  const taken: SharedPhrase[] = [];
  while (groups.length < most - 1) {
    const best = bestOf(candidates, taken, left);
    if (best === null || gainOf(best, left).length < least) break;
    const sourceIds = gainOf(best, left);
    for (const id of sourceIds) left.delete(id);
    groups.push({ phrase: best.text, sourceIds });
    taken.push(best);
  }
  const all = sources.map(({ id }) => id);
  if (groups.length < 2 || sources.length - left.size < WORTH_GROUPING * sources.length)
    return [{ phrase: null, sourceIds: all }];
  return left.size === 0 ? groups : [...groups, { phrase: null, sourceIds: [...left.keys()] }];
}

function bestOf(
  candidates: readonly SharedPhrase[],
  taken: readonly SharedPhrase[],
  left: ReadonlyMap<string, PhraseSource>,
): SharedPhrase | null {
  let best: SharedPhrase | null = null;
  let highest = 0;
  for (const candidate of candidates) {
    if (taken.some((phrase) => overlaps(phrase, candidate))) continue;
    const worth = gainOf(candidate, left).length * readsWell(candidate);
    if (worth > highest || (worth === highest && best !== null && candidate.text < best.text)) {
      best = candidate;
      highest = worth;
    }
  }
  return best;
}

function readsWell({ stems, text }: SharedPhrase): number {
  const worth = READS_WELL[stems.length] ?? 0;
  return stems.length === 1 && text.length < LONG_WORD ? worth / 2 : worth;
}

/** Two headings that share a word would draw in the same things. */
function overlaps(one: SharedPhrase, other: SharedPhrase): boolean {
  return one.stems.some((stem) => other.stems.includes(stem));
}

function gainOf({ sourceIds }: SharedPhrase, left: ReadonlyMap<string, unknown>): string[] {
  return [...sourceIds].filter((id) => left.has(id));
}
