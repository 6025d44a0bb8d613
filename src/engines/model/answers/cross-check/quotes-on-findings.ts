import type { Evidence } from '../../../../contracts/report/finding';
import { evidenceRoot } from '../../../../core/evidence/distinct-evidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import { locateEvidence } from '../quoted-evidence';
import { readItems } from '../reading';
import { CheckItem } from './answered-checks';
import type { CheckReading } from './check-reading';

/** The quotes of further sources on each finding that was checked, by the finding's id. */
export type QuotesOnFindings = ReadonlyMap<string, { supporting: Evidence[]; contradicting: Evidence[] }>;

export function quotesOnFindings(reading: CheckReading, answer: unknown): QuotesOnFindings {
  const { input, sources } = reading;
  const found = new Map<string, { supporting: Evidence[]; contradicting: Evidence[] }>();
  for (const { item, path } of readItems(answer, 'checks', CheckItem, reading.problems)) {
    const finding = reading.findingOf(item.finding, path);
    if (finding === undefined || !needsChecking(finding, input)) continue;
    const own = new Set(finding.citations.map((id) => evidenceRoot(id, sources)));
    const further = (evidence: Evidence[]): Evidence[] =>
      evidence.filter(({ sourceId }) => !own.has(evidenceRoot(sourceId, sources)));
    const supporting = further(locateEvidence(item.supporting, { ...reading, path: `${path}.supporting` }));
    const contradicting = locateEvidence(item.contradicting, { ...reading, path: `${path}.contradicting` });
    found.set(finding.id, {
      supporting,
      contradicting: input.detectConflicts ? further(contradicting) : [],
    });
  }
  return found;
}
