import { quotedAssertions, type QuotedAssertion } from '../conflicts/quoted-assertions';
import type { Finding } from '../contracts/finding';
import type { Report, ReportClaim } from '../contracts/report';
import { sentenceKey } from '../near-duplicate-sentences';
import { type ClaimStatement, statementOf } from './claim-statement';
import type { SourceKeys } from './pair-sources';

/** A quote with what tells it from others. */
export interface ComparedQuote {
  /** The key of its source, the same in both reports. */
  source: string;
  quote: string;
  key: string;
  start: number;
  end: number;
  /** Null where it asserts nothing that could be compared. */
  asserted: QuotedAssertion | null;
}

/** A claim of a report with everything by which it is compared. */
export interface ComparedClaim extends ClaimStatement {
  claim: ReportClaim;
  statementKey: string;
  words: ReadonlySet<string>;
  /** The first is the one that the claim words. */
  quotes: readonly ComparedQuote[];
  sources: ReadonlySet<string>;
}

export function comparedClaims(report: Report, keys: SourceKeys): ComparedClaim[] {
  const asserted = assertionsOf(report);
  return report.claims.map((claim, index): ComparedClaim => {
    const told = statementOf(claim, report);
    const statementKey = sentenceKey(told.statement);
    const quotes = claim.evidence.flatMap((item): ComparedQuote[] => {
      const source = keys.get(item.n);
      if (source === undefined) return [];
      return [
        {
          source,
          quote: item.quote,
          key: sentenceKey(item.quote),
          start: item.start,
          end: item.end,
          asserted:
            asserted
              .get(index)
              ?.find(({ evidence }) => evidence.quote === item.quote && evidence.start === item.start) ??
            null,
        },
      ];
    });
    return {
      ...told,
      claim,
      statementKey,
      words: new Set(statementKey.split(' ')),
      quotes,
      sources: new Set(claim.citations.flatMap((n) => keys.get(n) ?? [])),
    };
  });
}

/** What each claim's quotes assert, by the claim's place. */
function assertionsOf(report: Report): Map<number, QuotedAssertion[]> {
  const cited = new Map(report.citations.map((citation) => [citation.n, citation]));
  const findings = report.claims.map((claim, index): Finding => {
    const evidence = claim.evidence.flatMap(({ n, ...quoted }) => {
      const source = cited.get(n);
      return source === undefined ? [] : [{ sourceId: source.sourceId, ...quoted }];
    });
    return {
      id: String(index),
      sectionId: claim.sectionId,
      claim: claim.text,
      citations: evidence.map(({ sourceId }) => sourceId),
      evidence,
      confidence: claim.confidence,
    };
  });
  const found = new Map<number, QuotedAssertion[]>();
  const sources = new Map(report.citations.map((citation) => [citation.sourceId, citation]));
  for (const quoted of quotedAssertions(findings, sources)) {
    const index = Number(quoted.findingId);
    found.set(index, [...(found.get(index) ?? []), quoted]);
  }
  return found;
}
