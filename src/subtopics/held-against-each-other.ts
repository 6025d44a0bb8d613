import type { BriefMaterial, BriefSource } from '../contracts/brief/brief-material';
import type { Finding, Evidence, Conflict, Viewpoint } from '../contracts/report/finding';
import { disputedConfidence } from './statement-confidence';
import type { SourceFacts, SourcesById } from '../core/evidence/distinct-evidence';
import { opposingQuotes } from '../core/evidence/opposing-quotes';
import { distinctBy } from '../core/values/distinct-by';
import { answerConflicts } from '../reading/reconcile/answer-conflicts';
import { findConflicts } from '../reading/reconcile/find-conflicts';
import { resolve } from '../reading/reconcile/resolution';
import { titleOfAddress } from './title-of-address';

export interface HeldAgainstEachOther extends Pick<BriefMaterial, 'held' | 'conflicts'> {
  findings: Finding[];
}

/** `findings` have the confidence that each has by itself. */
export function heldAgainstEachOther(
  question: string,
  findings: readonly Omit<Finding, 'evidence'>[],
  sources: readonly BriefSource[],
): HeldAgainstEachOther {
  const { findings: placed, held } = holdStatements(findings);
  const byId = new Map(sources.map((source) => [source.id, source]));
  const conflicts = findDisagreements(question, placed, byId);
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const settled = placed.map((finding) =>
    disputed.has(finding.id) ? { ...finding, confidence: disputedConfidence(finding.confidence) } : finding,
  );
  return { findings: settled, held, conflicts };
}

interface HeldStatements {
  findings: Finding[];
  held: Record<string, string>;
}

/** A line of each source's text for each finding that cites it, in their order. */
function holdStatements(findings: readonly Omit<Finding, 'evidence'>[]): HeldStatements {
  const held = new Map<string, string>();
  const placed = findings.map((finding): Finding => {
    const evidence = finding.citations.map((sourceId): Evidence => {
      const before = held.get(sourceId);
      const start = before === undefined ? 0 : before.length + 1;
      held.set(sourceId, before === undefined ? finding.claim : `${before}\n${finding.claim}`);
      return { sourceId, quote: finding.claim, start, end: start + finding.claim.length };
    });
    return { ...finding, evidence };
  });
  return { findings: placed, held: Object.fromEntries(held) };
}

/**
 * Where statements stand against each other, as findings of a report do. Each statement has one voice, however many sources it
 * cites, and statements on the same sources have one together; each side then has the citations of all its statements.
 */
function findDisagreements(
  question: string,
  findings: readonly Finding[],
  sources: ReadonlyMap<string, BriefSource>,
): Conflict[] {
  const voices = findings.map(voiceOf);
  const voiceFacts = factsOfVoices(findings, sources);
  const known = { findings: new Map(findings.map((finding) => [finding.id, finding])), voiceFacts, sources };
  const found = [...findConflicts(voices, voiceFacts, { question }), ...answerConflicts(question, voices)];
  const conflicts = found.flatMap((conflict) => withCitations(conflict, known) ?? []);
  return distinctBy(conflicts, opposingQuotes).map((conflict, at) => ({
    ...conflict,
    id: `conflict-${at + 1}`,
  }));
}

interface Known {
  findings: ReadonlyMap<string, Finding>;
  voiceFacts: SourcesById;
  sources: ReadonlyMap<string, BriefSource>;
}

/** The statement as a source of its own, so that it is compared once. */
function voiceOf(finding: Finding): Finding {
  const { id, claim } = finding;
  return {
    ...finding,
    citations: [id],
    evidence: [{ sourceId: id, quote: claim, start: 0, end: claim.length }],
  };
}

function factsOfVoices(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, BriefSource>,
): Map<string, SourceFacts> {
  const firstOn = new Map<string, string>();
  return new Map(
    findings.map(({ id, citations }): [string, SourceFacts] => {
      const cited = citations.flatMap((sourceId) => sources.get(sourceId) ?? []);
      const together = [...citations].sort().join(' ');
      const first = firstOn.get(together);
      if (first === undefined) firstOn.set(together, id);
      const [only] = cited;
      const quality =
        cited.find(({ quality: { level } }) => level === 'authoritative')?.quality ?? only?.quality;
      return [
        id,
        {
          title: only === undefined || cited.length > 1 ? '' : toldTitle(only),
          quality: quality ?? { level: 'general', reason: '' },
          ...(first === undefined ? {} : { nearDuplicateOf: first }),
        },
      ];
    }),
  );
}

/** An address says nothing of what a source is about. */
function toldTitle({ title, url }: BriefSource): string {
  return url !== null && title === titleOfAddress(url) ? '' : title;
}

/** Null where fewer than two sides have a source that the others lack: a source that says both counts for neither. */
function withCitations(conflict: Conflict, known: Known): Conflict | null {
  const viewpoints = conflict.viewpoints.map((viewpoint) => sideOf(viewpoint, known.findings));
  const apart = viewpoints.filter((side) =>
    side.citations.some((id) => viewpoints.every((other) => other === side || !other.citations.includes(id))),
  );
  return apart.length < 2
    ? null
    : { ...conflict, viewpoints, ...resolutionBySources(conflict, viewpoints, known) };
}

/** Which side is favoured is decided by its sources, and not by how many statements cite them. */
function resolutionBySources(
  { viewpoints: voices, reason, resolution }: Conflict,
  viewpoints: readonly Viewpoint[],
  { voiceFacts, sources }: Known,
): Pick<Conflict, 'resolution' | 'reason'> {
  const byVoices = resolve(voices, voiceFacts);
  if (byVoices.resolution !== resolution || !reason.endsWith(byVoices.reason)) return { resolution, reason };
  const bySources = resolve(viewpoints, sources);
  const difference = reason.slice(0, reason.length - byVoices.reason.length).trimEnd();
  return { resolution: bySources.resolution, reason: `${difference} ${bySources.reason}`.trim() };
}

function sideOf({ statement, evidence }: Viewpoint, findings: ReadonlyMap<string, Finding>): Viewpoint {
  const held = evidence.flatMap(({ sourceId, start, end, quote }) =>
    (findings.get(sourceId)?.evidence ?? []).map((own): Evidence => ({
      sourceId: own.sourceId,
      quote,
      start: own.start + start,
      end: own.start + end,
    })),
  );
  return { statement, citations: [...new Set(held.map(({ sourceId }) => sourceId))], evidence: held };
}
