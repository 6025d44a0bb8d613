import type { SourcesById } from '../core/evidence/distinct-evidence';
import { splitSentences } from '../language/sentences';
import type { Bearing, ClaimBesideQuote } from '../reading/reconcile/bearing';
import { compareStatements, type WeightOf } from '../reading/statements/compare-statements';
import { readStatement } from '../reading/statements/statement';
import { judgeSentence } from './judge-sentence';

/**
 * What words alone tell of a quote that was named beside a claim: that it says it, in nearly its words or as a statement of the
 * same effect; that it says otherwise; or nothing (null). Pure.
 */
export function bearingByWords(
  { claim, claimedBy, evidence: { sourceId, quote } }: ClaimBesideQuote,
  sources: SourcesById,
  weightOf: WeightOf,
): Bearing | null {
  const source = sources.get(sourceId);
  const claimed = readStatement(claim, sources.get(claimedBy)?.title);
  const relations = splitSentences(quote).map(({ text }) =>
    compareStatements(claimed, readStatement(text, source?.title), weightOf),
  );
  if (relations.some((found) => found?.relation === 'clash')) return 'says-otherwise';
  if (relations.some((found) => found?.relation === 'agree')) return 'says';
  const { publishedAt = '', title = '' } = source ?? {};
  const cited = { passages: [quote], attribution: [publishedAt.slice(0, 10)], numbersFrom: [title] };
  return judgeSentence(claim, cited).verdict === 'close' ? 'says' : null;
}
