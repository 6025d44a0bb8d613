import type { Encoder } from '../../encoder/encoder';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { needsChecking } from '../../core/evidence/needs-checking';
import { nearPairs, type SaidByMeaning, saidByMeaning } from '../../reading/reconcile/agreement-by-meaning';
import {
  claimedStatements,
  type QuotedStatement,
  quotedStatement,
} from '../../reading/reconcile/quoted-statement';
import type { CrossCheckInput } from '../../steps/cross-check/contract';
import type { WindowStatements } from './window-statements';

/** The sentences that say by their meaning what a finding does that is to be checked; none where there is no encoder. */
export async function sentencesSaying(
  encoder: Encoder | null,
  input: CrossCheckInput,
  { sentences, index }: WindowStatements,
): Promise<SaidByMeaning[]> {
  if (encoder === null) return [];
  const sources: SourcesById = new Map(input.sources.map((source) => [source.sourceId, source]));
  const claims = claimedStatements(
    input.findings.filter((finding) => needsChecking(finding, input)),
    sources,
  );
  const quotes = new Map<number, QuotedStatement>();
  const pairs = nearPairs(claims, index, (at) => {
    const sentence = sentences[at];
    if (sentence !== undefined && !quotes.has(at)) quotes.set(at, quotedStatement(sentence, sources));
    return quotes.get(at);
  });
  return saidByMeaning(encoder, pairs, { sources, weightOf: index.weightOf });
}
