import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { splitPassages } from '../../language/passages';
import type { Passage } from '../claim-material';
import { type ComparableText, comparableText } from '../quotes/comparable-text';
import { verifyClaim } from '../verify-claim';
import type { GivenSource } from './given-source';

/** Sources that claims are held against, each made ready once. */
export interface HeldSources {
  /** What the sources say of themselves, which a claim may name: authors, dates, titles, sites. */
  attributionOf(sourceIds: readonly string[]): string[];
  /** As quotations are looked for in it. */
  comparableOf(source: GivenSource): ComparableText;
  sourcesOf(sourceIds: readonly string[]): GivenSource[];
  verify(claim: string, sourceIds: readonly string[]): ClaimVerdict;
}

export function holdSources(sources: readonly GivenSource[]): HeldSources {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const comparable = new Map<string, ComparableText>();
  const passages = new Map(sources.map((source) => [source.id, passagesOf(source)]));
  const sourcesOf = (ids: readonly string[]): GivenSource[] => ids.flatMap((id) => byId.get(id) ?? []);
  const attributionOf = (ids: readonly string[]): string[] =>
    sourcesOf(ids).flatMap(({ author, publishedAt, title, site }) =>
      [author, publishedAt, title, site].filter((told) => told !== undefined),
    );
  return {
    attributionOf,
    sourcesOf,
    comparableOf(source) {
      const kept = comparable.get(source.id) ?? comparableText(source.content);
      comparable.set(source.id, kept);
      return kept;
    },
    verify(claim, ids) {
      const own = new Set(ids);
      return verifyClaim(claim, {
        cited: ids.flatMap((id) => passages.get(id) ?? []),
        others: [...passages].flatMap(([id, held]) => (own.has(id) ? [] : held)),
        attribution: attributionOf(ids),
      });
    },
  };
}

function passagesOf({ id, content }: GivenSource): Passage[] {
  return splitPassages(content).map(({ text, start }) => ({ sourceId: id, text, start }));
}
