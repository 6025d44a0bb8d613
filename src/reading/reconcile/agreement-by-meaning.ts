import type { Encoder } from '../../encoder/encoder';
import type { Finding } from '../../contracts/report/finding';
import { groupedBy } from '../../core/values/grouped-by';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import type { WeightOf } from '../statements/compare-statements';
import { maySayTheSame, type MeantStatement, saysTheSame } from '../statements/says-the-same';
import { indexStatements, type StatementIndex } from '../statements/statement-index';
import { claimedStatements, type QuotedStatement } from './quoted-statement';

/** A quote beside one of another source that says the same by what it means. */
export interface SaidByMeaning {
  claim: QuotedStatement;
  quote: QuotedStatement;
}

/** How many quotes a claim is held against by meaning, those that share most with it: other words share less. */
const NEAREST = 25;

/** Each claim with the quotes of an index that share most with it. */
export function nearPairs(
  claims: readonly QuotedStatement[],
  { nearest }: StatementIndex,
  quoteAt: (at: number) => QuotedStatement | undefined,
): SaidByMeaning[] {
  return claims.flatMap((claim) =>
    nearest(claim.statement.matter, NEAREST).flatMap((at) => {
      const quote = quoteAt(at);
      return quote === undefined ? [] : [{ claim, quote }];
    }),
  );
}

/** Which of the quotes say what the claim beside them does; only those that words leave open are encoded. */
export async function saidByMeaning(
  encoder: Encoder,
  pairs: readonly SaidByMeaning[],
  { sources, weightOf }: { sources: SourcesById; weightOf: WeightOf },
): Promise<SaidByMeaning[]> {
  const open = pairs.filter(
    ({ claim, quote }) => claim.root !== quote.root && maySayTheSame(claim.statement, quote.statement),
  );
  const quotes = [...new Set(open.flatMap(({ claim, quote }) => [claim, quote]))];
  const titles = quotes.map(({ evidence }) => sources.get(evidence.sourceId)?.title ?? '');
  const encoded = await encoder.encode([...quotes.map(({ statement }) => statement.text), ...titles]);
  const meant = new Map(
    quotes.flatMap((quote, at): [QuotedStatement, MeantStatement][] => {
      const [text, title] = [encoded[at], encoded[quotes.length + at]];
      return text === undefined || title === undefined
        ? []
        : [[quote, { statement: quote.statement, text, title }]];
    }),
  );
  return open.filter(({ claim, quote }) => {
    const [one, other] = [meant.get(claim), meant.get(quote)];
    return one !== undefined && other !== undefined && saysTheSame(one, other, weightOf);
  });
}

/** By the id of each finding those whose own quote says what it claims; by words alone, where there is no encoder, none. */
export async function findingsSaying(
  encoder: Encoder | null,
  findings: readonly Finding[],
  sources: SourcesById,
): Promise<Map<string, Set<string>>> {
  if (encoder === null) return new Map();
  const own = claimedStatements(findings, sources);
  const index = indexStatements(own.map(({ statement }) => statement.matter));
  const pairs = nearPairs(own, index, (at) => own[at]);
  const said = await saidByMeaning(encoder, pairs, { sources, weightOf: index.weightOf });
  const saying = groupedBy(said, ({ claim }) => claim.findingId ?? '');
  return new Map(
    [...saying].map(([id, found]) => [id, new Set(found.map(({ quote }) => quote.findingId ?? ''))]),
  );
}
