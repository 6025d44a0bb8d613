import { allowedConfidence } from '../../core/evidence/allowed-confidence';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import type { Conflict, Evidence, Finding, Viewpoint } from '../../contracts/report/finding';
import { type Bearing, besideKey, type Confirmed, furtherEvidence, opposedQuotes } from './bearing';
import type { ToldOfFinding } from './bearing';

type Bearings = Confirmed['bearings'];

/**
 * A finding with the sources of which the quote says the claim, and those that say a part of it, which make it no surer. Quotes of
 * the source that the claim words stay.
 */
export function confirmedFinding(finding: Finding, { bearings }: Confirmed, sources: SourcesById): Finding {
  const further = furtherEvidence(finding);
  if (further.length === 0) return finding;
  const saying = (bearing: Bearing): Evidence[] =>
    further.filter((evidence) => bearings.get(besideKey({ ...finding, evidence })) === bearing);
  const [whole, part] = [saying('says'), saying('says-a-part')];
  if (whole.length === further.length) return finding;
  const own = finding.evidence.filter((evidence) => !further.includes(evidence));
  const evidence = finding.evidence.filter((one) => [...own, ...whole, ...part].includes(one));
  const inPart = [...new Set(part.map(({ sourceId }) => sourceId))];
  return {
    ...finding,
    evidence,
    citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
    ...(inPart.length === 0 ? {} : { inPart }),
    confidence: allowedConfidence(finding.confidence, [...own, ...whole], sources),
  };
}

interface Told<Check extends ToldOfFinding> {
  checks: Check[];
  conflicts: Conflict[];
}

/** What is left of checks where only what is confirmed counts, each with the confidence that this gives its finding. */
export function confirmedChecks<Check extends ToldOfFinding, Checks extends Told<Check>>(
  told: Checks & Told<Check>,
  { before, now }: { before: readonly Finding[]; now: readonly Finding[] },
  confirmed: Confirmed,
  sources: SourcesById,
): Checks {
  const { bearings } = confirmed;
  const conflicts = told.conflicts.flatMap((conflict) => confirmedConflict(conflict, before, bearings));
  const idsIn = (all: readonly Conflict[]): Set<string> =>
    new Set(all.flatMap(({ findingIds }) => findingIds));
  const [disputed, stillDisputed] = [idsIn(told.conflicts), idsIn(conflicts)];
  const checks = told.checks.map((check): Check => {
    const was = before.find(({ id }) => id === check.findingId);
    const finding = now.find(({ id }) => id === check.findingId);
    if (was === undefined || finding === undefined) return check;
    const bears = (evidence: Evidence): Bearing | undefined => bearings.get(besideKey({ ...was, evidence }));
    const supporting = check.supporting.filter((evidence) => bears(evidence) === 'says');
    const against = check.contradicting ?? [];
    const contradicting = disputed.has(was.id)
      ? against.filter(() => stillDisputed.has(was.id))
      : against.filter((evidence) => bears(evidence) === 'says-otherwise');
    const conflicting = contradicting.length > 0 || stillDisputed.has(was.id);
    const wasUntouched =
      check.confidence === was.confidence &&
      check.supporting.length === 0 &&
      !disputed.has(was.id) &&
      against.length === 0;
    const confidence = wasUntouched
      ? finding.confidence
      : corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting });
    const isUntold = supporting.length === 0 && !conflicting && check.unanswered;
    return {
      ...check,
      supporting,
      ...(check.contradicting === undefined ? {} : { contradicting }),
      confidence,
      ...(isUntold ? { unanswered: true } : {}),
    };
  });
  return { ...told, checks, conflicts };
}

/** A conflict with the quotes that were found to stand against each other; none where that leaves one side. */
export function confirmedConflict(
  conflict: Conflict,
  findings: readonly Finding[],
  bearings: Bearings,
): Conflict[] {
  const opposed = opposedQuotes(conflict, findings);
  const viewpoints = conflict.viewpoints.flatMap((viewpoint, at): Viewpoint[] => {
    const standing = (opposed[at] ?? [])
      .filter((one) => bearings.get(besideKey(one)) === 'says-otherwise')
      .map(({ evidence }) => evidence);
    const evidence = [...(at === 0 ? viewpoint.evidence.slice(0, 1) : []), ...standing];
    const [first] = evidence;
    if (first === undefined) return [];
    if (evidence.length === viewpoint.evidence.length) return [viewpoint];
    const isFirst = first === viewpoint.evidence[0];
    return [
      {
        statement: isFirst ? viewpoint.statement : first.quote.replace(/\s+/g, ' '),
        citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
        evidence,
      },
    ];
  });
  if (viewpoints.length < 2) return [];
  // Whom the evidence favours was said of other sides.
  const isWhole = viewpoints.every((viewpoint, at) => viewpoint === conflict.viewpoints[at]);
  return [{ ...conflict, viewpoints, resolution: isWhole ? conflict.resolution : 'present_both' }];
}
