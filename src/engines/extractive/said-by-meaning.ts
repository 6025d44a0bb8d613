import type { Encoder } from '../../encoder/encoder';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { needsChecking } from '../../core/evidence/needs-checking';
import { type SaidByMeaning, saidByMeaning } from '../../reading/reconcile/agreement-by-meaning';
import {
  type QuotedStatement,
  quotedStatement,
  quotedStatements,
} from '../../reading/reconcile/quoted-statement';
import { statementMatter } from '../../reading/statements/statement';
import { indexStatements } from '../../reading/statements/statement-index';
import type { CrossCheckInput } from '../../steps/cross-check/contract';
import { windowStatements } from './window-statements';

/** How many sentences of further sources each finding is held against by meaning: other words share less. */
const SENTENCES_A_FINDING = 100;

/** The sentences that say by their meaning what a finding does that is to be checked; none where there is no encoder. */
export async function sentencesSaying(
  encoder: Encoder | null,
  input: CrossCheckInput,
): Promise<SaidByMeaning[]> {
  if (encoder === null) return [];
  const sources: SourcesById = new Map(input.sources.map((source) => [source.sourceId, source]));
  // Only the quote that a claim words speaks for it here.
  const claims = quotedStatements(
    input.findings
      .filter((finding) => needsChecking(finding, input))
      .map((finding) => ({ ...finding, evidence: finding.evidence.slice(0, 1) })),
    sources,
  );
  const sentences = windowStatements(input.sources);
  const index = indexStatements(sentences.map(({ quote }) => statementMatter(quote)));
  const near = claims.map(({ statement }) => index.nearest(statement.matter, SENTENCES_A_FINDING));
  const quotes = new Map(
    [...new Set(near.flat())].flatMap((at): [number, QuotedStatement][] => {
      const sentence = sentences[at];
      return sentence === undefined ? [] : [[at, quotedStatement(sentence, sources)]];
    }),
  );
  const pairs = claims.flatMap((claim, place) =>
    (near[place] ?? []).flatMap((at) => quotes.get(at) ?? []).map((quote) => ({ claim, quote })),
  );
  return saidByMeaning(encoder, pairs, { sources, weightOf: index.weightOf });
}
