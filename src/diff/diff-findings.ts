import type { ChangedFinding, DiffFinding, ReportDiff } from '../contracts/report/report-diff';
import type { ComparedClaim } from './compared-claims';
import { quoteLikeness } from './compare-quotes';
import { findingChanges } from './finding-changes';
import type { SectionPairs } from './pair-sections';
import type { ComparedSources } from './compare-sources-read';
import { type ReportSide, sectionOf, sourcesOf } from './report-side';

/** `pairs` has the places of the findings that both reports have, `moved` the sources that one has otherwise. */
export function diffFindings(
  before: ReportSide,
  after: ReportSide,
  pairs: ReadonlyMap<number, number>,
  sections: SectionPairs,
  moved: ComparedSources['moved'],
): ReportDiff['findings'] {
  const partners = new Map([...pairs].map(([at, against]) => [against, at]));
  const added = after.claims.filter((_claim, at) => !partners.has(at));
  const gone = before.claims.filter((_claim, at) => !pairs.has(at));
  const told = (claims: readonly ComparedClaim[], side: ReportSide): DiffFinding[] =>
    claims.map((claim) => diffFinding(claim, side, side === after ? before : after));
  return {
    new: told(added.filter(restsOn(after, moved.after)), after),
    newlyQuoted: told(added.filter(not(restsOn(after, moved.after))), after),
    changed: after.claims.flatMap((claim, at): ChangedFinding[] => {
      const earlier = before.claims[partners.get(at) ?? -1];
      if (earlier === undefined) return [];
      const changes = findingChanges({ side: before, claim: earlier }, { side: after, claim }, sections);
      if (changes.length === 0) return [];
      return [{ before: diffFinding(earlier, before), after: diffFinding(claim, after), changes }];
    }),
    notQuoted: told(gone.filter(not(restsOn(before, moved.before))), before),
    withdrawn: told(gone.filter(restsOn(before, moved.before)), before),
  };
}

type Choice = (compared: ComparedClaim) => boolean;

/** Whether a claim of a report cites one of some sources. */
function restsOn({ report }: ReportSide, sourceIds: ReadonlySet<string>): Choice {
  const numbers = new Set(
    report.citations.filter(({ sourceId }) => sourceIds.has(sourceId)).map(({ n }) => n),
  );
  return ({ claim }) => claim.citations.some((n) => numbers.has(n));
}

function not(choice: Choice): Choice {
  return (compared) => !choice(compared);
}

/** `elsewhere` is the other report, for a finding that has no partner there but may be a part of another. */
function diffFinding(compared: ComparedClaim, side: ReportSide, elsewhere?: ReportSide): DiffFinding {
  const { claim, statement, verbatim, quotes, sources } = compared;
  const whole = elsewhere?.claims.find(
    (other) =>
      quotes.length > 0 &&
      quotes.every((quote) => other.quotes.some((rival) => quoteLikeness(quote, rival) > 0)),
  );
  return {
    claimId: claim.id,
    statement,
    verbatim,
    section: sectionOf({ side, claim: compared }),
    sources: sourcesOf(side, sources),
    confidence: claim.confidence,
    verdict: claim.verdict,
    ...(whole === undefined ? {} : { partOf: whole.statement }),
  };
}
