import { matterOf } from '../language/matter';
import type { Report, ReportClaim } from '../contracts/report/report';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { type ClaimStatement, statementOf } from './claim-statement';
import type { SourceKeys } from './pair-sources';

export interface ComparedQuote {
  /** The key of its source, the same in both reports. */
  source: string;
  quote: string;
  key: string;
  start: number;
  end: number;
  /** The stems of what it is about, whatever it says of that. */
  matter: ReadonlySet<string>;
}

export interface ComparedClaim extends ClaimStatement {
  claim: ReportClaim;
  statementKey: string;
  words: ReadonlySet<string>;
  /** The first is the one that the claim words. */
  quotes: readonly ComparedQuote[];
  sources: ReadonlySet<string>;
}

export function comparedClaims(report: Report, keys: SourceKeys): ComparedClaim[] {
  return report.claims.map((claim): ComparedClaim => {
    const told = statementOf(claim, report);
    const statementKey = sentenceKey(told.statement);
    const quotes = claim.evidence.flatMap(({ n, quote, start, end }): ComparedQuote[] => {
      const source = keys.get(n);
      if (source === undefined) return [];
      return [{ source, quote, start, end, key: sentenceKey(quote), matter: matterOf(quote) }];
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
