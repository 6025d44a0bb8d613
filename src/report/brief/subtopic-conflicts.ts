import type { BriefMaterial, BriefSource, StatementPlace } from '../../contracts/brief';
import type { Conflict, Evidence, Finding, Viewpoint } from '../../contracts/finding';
import { answerConflicts, findConflicts, resolve } from '../../evidence/conflicts';
import {
  checkedConfidence,
  conflictKey,
  type SourceMetadata,
  type SourcesById,
} from '../../evidence/corroboration';
import { normaliseUrl } from '../../evidence/source-records';
import { distinctBy } from '../../lib/iterables';
import { parseUrl } from '../../lib/url';
import type { MarkedBy } from './read-subtopic';

// Conflicts, confidence and titles in the material of a brief.

export interface ComparedStatements extends Pick<BriefMaterial, 'held' | 'conflicts'> {
  findings: Finding[];
}

/** `findings` have the confidence that each has by itself. */
export function compareStatements(
  question: string,
  findings: readonly Omit<Finding, 'evidence'>[],
  sources: readonly BriefSource[],
): ComparedStatements {
  const { findings: placed, held } = placeStatements(findings);
  const byId = new Map(sources.map((source) => [source.id, source]));
  const conflicts = findDisagreements(question, placed, byId);
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const settled = placed.map((finding) =>
    disputed.has(finding.id) ? { ...finding, confidence: disputedConfidence(finding.confidence) } : finding,
  );
  return { findings: settled, held, conflicts };
}

interface PlacedStatements {
  findings: Finding[];
  held: Record<string, string>;
}

/** Builds a text for each source: one line for each finding that cites it, in order. */
function placeStatements(findings: readonly Omit<Finding, 'evidence'>[]): PlacedStatements {
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

/** Statements on the same sources count as one; each side has the citations of all its statements. */
function findDisagreements(
  question: string,
  findings: readonly Finding[],
  sources: ReadonlyMap<string, BriefSource>,
): Conflict[] {
  const voices = findings.map(statementAsSource);
  const voiceFacts = statementFacts(findings, sources);
  const known = { findings: new Map(findings.map((finding) => [finding.id, finding])), voiceFacts, sources };
  const found = [...findConflicts(voices, voiceFacts, { question }), ...answerConflicts(question, voices)];
  const conflicts = found.flatMap((conflict) => conflictWithSources(conflict, known) ?? []);
  return distinctBy(conflicts, conflictKey).map((conflict, at) => ({
    ...conflict,
    id: `conflict-${at + 1}`,
  }));
}

interface ConflictContext {
  findings: ReadonlyMap<string, Finding>;
  voiceFacts: SourcesById;
  sources: ReadonlyMap<string, BriefSource>;
}

/** The statement as a source of its own, so that it is compared once. */
function statementAsSource(finding: Finding): Finding {
  const { id, claim } = finding;
  return {
    ...finding,
    citations: [id],
    evidence: [{ sourceId: id, quote: claim, start: 0, end: claim.length }],
  };
}

function statementFacts(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, BriefSource>,
): Map<string, SourceMetadata> {
  const firstOn = new Map<string, string>();
  return new Map(
    findings.map(({ id, citations }): [string, SourceMetadata] => {
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
          title: only === undefined || cited.length > 1 ? '' : knownTitle(only),
          quality: quality ?? { level: 'general', reason: '' },
          ...(first === undefined ? {} : { nearDuplicateOf: first }),
        },
      ];
    }),
  );
}

/** Empty if the title was made of the address, which does not name the topic. */
function knownTitle({ title, url }: BriefSource): string {
  return url !== null && title === titleOfAddress(url) ? '' : title;
}

/** Null if fewer than two sides have a source that the others lack: a source on both sides counts for neither. */
function conflictWithSources(conflict: Conflict, known: ConflictContext): Conflict | null {
  const viewpoints = conflict.viewpoints.map((viewpoint) => viewpointWithSources(viewpoint, known.findings));
  const apart = viewpoints.filter((side) =>
    side.citations.some((id) => viewpoints.every((other) => other === side || !other.citations.includes(id))),
  );
  return apart.length < 2
    ? null
    : { ...conflict, viewpoints, ...resolutionBySources(conflict, viewpoints, known) };
}

/** The sources decide which side is favoured, not the number of statements. */
function resolutionBySources(
  { viewpoints: voices, reason, resolution }: Conflict,
  viewpoints: readonly Viewpoint[],
  { voiceFacts, sources }: ConflictContext,
): Pick<Conflict, 'resolution' | 'reason'> {
  const byVoices = resolve(voices, voiceFacts);
  if (byVoices.resolution !== resolution || !reason.endsWith(byVoices.reason)) return { resolution, reason };
  const bySources = resolve(viewpoints, sources);
  const difference = reason.slice(0, reason.length - byVoices.reason.length).trimEnd();
  return { resolution: bySources.resolution, reason: `${difference} ${bySources.reason}`.trim() };
}

function viewpointWithSources(
  { statement, evidence }: Viewpoint,
  findings: ReadonlyMap<string, Finding>,
): Viewpoint {
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

/** Single general source: Low by document 002, since it was not read. Below 0.5 (weak evidence) if its marks are inherited. */
const SINGLE_SOURCE_CONFIDENCE: Record<MarkedBy, number> = { itself: 0.65, neighbour: 0.6, subtopic: 0.45 };

/** Agreement of sources raises the confidence; inherited marks show no agreement. */
export function statementConfidence(
  { citations, markedBy }: SubtopicStatement,
  sources: ReadonlyMap<string, BriefSource>,
): number {
  const confidence = SINGLE_SOURCE_CONFIDENCE[markedBy];
  if (markedBy !== 'itself') return confidence;
  const cited = citations.flatMap((id) => sources.get(id) ?? []);
  return checkedConfidence({
    confidence,
    // Sources with the same text count as one.
    distinctEvidence: new Set(cited.map(({ id, contentRef }) => contentRef ?? id)).size,
    authoritative: cited.some(({ quality: { level } }) => level === 'authoritative'),
    conflicting: false,
  });
}

function disputedConfidence(confidence: number): number {
  return checkedConfidence({ confidence, distinctEvidence: 1, authoritative: false, conflicting: true });
}

const MAX_CHARS = 120;
const BETWEEN_WORDS = /[-_+ ]+/;
/** `.html`, `.pdf`; a number behind a full stop is part of a name. */
const FILE_EXTENSION = /\.(?=\d?[a-z])[a-z\d]{2,5}$/i;

/** Words of the path, as in `/news/heat-pumps-in-old-houses`, else the address. */
export function titleOfAddress(url: string): string {
  const address = normaliseUrl(url).replace(/^https:\/\//, '');
  const title = pathWords(parseUrl(url)?.pathname ?? '') ?? address;
  return title.length > MAX_CHARS ? `${title.slice(0, MAX_CHARS - 1)}…` : title;
}

/** The last part of a path as words; null for a number, a key, or a single word. */
function pathWords(pathname: string): string | null {
  const last = decoded(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(FILE_EXTENSION, '');
  const words = last.split(BETWEEN_WORDS).filter((word) => word !== '');
  const spelt = words.filter((word) => /^\p{L}{2,}$/u.test(word));
  if (spelt.length < 2 || 2 * spelt.length < words.length) return null;
  if (!words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))) return null;
  const [first = '', ...further] = words.join(' ');
  return `${first.toUpperCase()}${further.join('')}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** One sentence, or several equal ones; citations are source ids. */
export interface SubtopicStatement {
  plain: string;
  /** The first is its own. */
  places: StatementPlace[];
  citations: string[];
  markedBy: MarkedBy;
}
