import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { votesTold } from '../../core/writing/vote-count';
import { groupedBy } from '../../core/values/grouped-by';
import { effectTold } from '../../reading/statements/effect-told';

/**
 * A sentence that counts sources by whether they report an effect, held against what these say: supported where each of them says
 * one or the other, and so many of them the one and so many the other as it counts. Null for any other sentence, and where it does
 * not come out.
 */
export function countedVerdict(plain: string, evidence: readonly Evidence[]): ClaimVerdict | null {
  const told = votesTold(plain);
  if (told === null) return null;
  const sources = [...groupedBy(evidence, ({ sourceId }) => sourceId).values()].map((quotes) => ({
    quotes,
    says: new Set(quotes.map(({ quote }) => effectTold(quote))),
  }));
  const saying = (side: 'effect' | 'none'): number => sources.filter(({ says }) => says.has(side)).length;
  const isCounted =
    sources.length === told.effect + told.none &&
    sources.every(({ says }) => says.has('effect') || says.has('none')) &&
    saying('effect') >= told.effect &&
    saying('none') >= told.none;
  if (!isCounted) return null;
  return {
    verdict: 'supported',
    code: 'counted',
    reason: `It counts what its ${sources.length} sources say, and so many of them say so.`,
    evidence: evidence[0] ?? null,
    probability: null,
  };
}
