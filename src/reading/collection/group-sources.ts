import { groupedBy } from '../../core/values/grouped-by';
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

/** What so many sources share in so many words names a group; more may belong to it. */
const SHARED_BY = 3;
/** A phrase that nearly all share parts nothing. */
const MOST_SHARE = 0.5;
/** Groups are worth having where so many sources have a phrase. */
const WORTH_GROUPING = 0.4;

/**
 * Parts sources by the phrases that they share, as suffix-tree clustering does: the most common phrases that have no word in
 * common are the groups, and each source goes to the rarest of those that it has. Where few sources share anything there is
 * one group without a phrase.
 */
export function groupSources(
  sources: readonly PhraseSource[],
  asked: ReadonlySet<string>,
  { most, least }: GroupLimits,
): SourceGroup[] {
  const ids = sources.map(({ id }) => id);
  let phrases = apart(
    sharedPhrases(sources, asked, Math.min(least, SHARED_BY)).filter(
      ({ sourceIds }) => sourceIds.size <= MOST_SHARE * sources.length,
    ),
  ).slice(0, most - 1);
  let groups = assigned(ids, phrases);
  // A phrase that others left too few sources gives them up to what else they have.
  for (;;) {
    const small = phrases.findLast((phrase) => (groups.get(phrase)?.length ?? 0) < least);
    if (small === undefined) break;
    phrases = phrases.filter((phrase) => phrase !== small);
    groups = assigned(ids, phrases);
  }
  const rest = groups.get(null) ?? [];
  if (phrases.length < 2 || ids.length - rest.length < WORTH_GROUPING * ids.length)
    return [{ phrase: null, sourceIds: ids }];
  const named = phrases.map((phrase) => ({ phrase: phrase.text, sourceIds: groups.get(phrase) ?? [] }));
  return rest.length === 0 ? named : [...named, { phrase: null, sourceIds: rest }];
}

/** The most common phrases first, without those that share a word with a more common one: they would draw in the same things. */
function apart(phrases: readonly SharedPhrase[]): SharedPhrase[] {
  const kept: SharedPhrase[] = [];
  const byUse = [...phrases].sort(
    (a, b) => b.sourceIds.size - a.sourceIds.size || (a.text < b.text ? -1 : 1),
  );
  for (const phrase of byUse) {
    if (!kept.some(({ stems }) => stems.some((stem) => phrase.stems.includes(stem)))) kept.push(phrase);
  }
  return kept;
}

function assigned(
  ids: readonly string[],
  phrases: readonly SharedPhrase[],
): Map<SharedPhrase | null, string[]> {
  const rarestFirst = [...phrases].sort((a, b) => a.sourceIds.size - b.sourceIds.size);
  return groupedBy(ids, (id) => rarestFirst.find(({ sourceIds }) => sourceIds.has(id)) ?? null);
}
