import { GivenSubtopics } from '../../../contracts/brief/subtopic';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Warning } from '../../../contracts/run/run';
import { eventKey } from '../../../core/run/event-key';
import { readArtifact, storeArtifact, readShared } from '../../shared/artifacts';
import type { ActivityPorts } from '../../shared/ports';
import { MAX_RETURNED_WARNINGS } from '../../shared/run-step';
import type { BriefFacts } from '../brief-facts';
import type { ContentStore } from '../../../stores/content-store';
import type { ListedSource, SubtopicToRead } from '../../../subtopics/subtopic-to-read';
import { GatheredMaterial } from '../../../subtopics/gathered-material';
import { SummaryChecks } from './check-summaries';
import { toldConflict } from '../../../core/evidence/told-conflict';
import type { Conflict } from '../../../contracts/report/finding';
import type { EventLog } from '../../../stores/event-log';

export interface GatherBriefInput {
  run: BriefFacts;
  subtopicsRef: ArtifactRef;
  /** `accessedAt` of sources whose record has none. */
  asOf: string;
}

export interface GatheredBrief {
  /** `BriefMaterial`, before anything was held against the texts of its sources. */
  materialRef: ArtifactRef;
  subtopics: { id: string; words: number }[];
  /** How many sources the citation index has, and of how many of them the text was given. */
  sources: number;
  inFull: number;
  statements: number;
  conflicts: number;
  warnings: Warning[];
}

export async function gatherBrief(
  { content, events, threads }: ActivityPorts,
  { run, subtopicsRef, asOf }: GatherBriefInput,
  signal: AbortSignal,
): Promise<GatheredBrief> {
  const { runId, question } = run;
  const given = await readArtifact(content, subtopicsRef, GivenSubtopics);
  const subtopics = await storeSubtopics(content, runId, given);
  const material = await threads.run('gather-subtopics', { question, subtopics, asOf }, signal);
  for (const [ordinal, warning] of material.warnings.entries()) {
    const key = eventKey({ pass: 0, step: 'gather', type: 'warning', ordinal });
    await events.appendOnce(runId, key, { type: 'warning', payload: warning });
  }
  const inFull = material.sources.filter(({ contentRef }) => contentRef !== null).length;
  // Where texts were given, a statement may yet be set aside, and its conflicts with it.
  if (inFull === 0) await tellConflicts(events, runId, material.conflicts);
  return {
    materialRef: await storeArtifact(content, runId, material),
    subtopics: material.subtopics.map(({ id, words }) => ({ id, words })),
    sources: material.sources.length,
    inFull,
    statements: material.subtopics.reduce((sum, { findings }) => sum + findings.length, 0),
    conflicts: material.conflicts.length,
    warnings: material.warnings.slice(0, MAX_RETURNED_WARNINGS),
  };
}

/** Stores the summaries and the texts of the sources each by itself, so that the run holds them and no more is read than is needed. */
async function storeSubtopics(
  content: ContentStore,
  runId: string,
  subtopics: GivenSubtopics,
): Promise<SubtopicToRead[]> {
  const stored: SubtopicToRead[] = [];
  for (const [at, { title, summary, citations, sources = [] }] of subtopics.entries()) {
    const texts = sources.flatMap(({ content: text }) => text ?? []);
    const [summaryRef = '', ...refs] = await content.storeBatch(runId, [summary, ...texts]);
    const remaining = refs.values();
    const listed = sources.map(({ content: text, ...source }): ListedSource =>
      text === undefined
        ? { ...source, contentRef: null, contentChars: 0 }
        : { ...source, contentRef: remaining.next().value ?? null, contentChars: text.length },
    );
    stored.push({ id: `subtopic-${at + 1}`, title, summary, summaryRef, citations, sources: listed });
  }
  return stored;
}

export interface SettleMaterialInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  checksRefs: ArtifactRef[];
}

export interface SettledMaterial {
  /** `BriefMaterial`, without what its own sources do not bear. */
  materialRef: ArtifactRef;
  setAside: number;
}

export async function settleMaterial(
  { content, events, threads }: ActivityPorts,
  { run, materialRef, checksRefs }: SettleMaterialInput,
  signal: AbortSignal,
): Promise<SettledMaterial> {
  const { runId, question } = run;
  const material = await readShared(content, materialRef, GatheredMaterial);
  const checks = await Promise.all(checksRefs.map((ref) => readShared(content, ref, SummaryChecks)));
  const verdicts = Object.fromEntries(checks.flatMap((one) => Object.entries(one.verdicts)));
  const foundIn = Object.fromEntries(checks.flatMap((one) => Object.entries(one.foundIn)));
  const given = { question, material, verdicts, foundIn };
  const settled = await threads.run('settle-material', given, signal);
  await tellConflicts(events, runId, settled.conflicts);
  return {
    materialRef: await storeArtifact(content, runId, settled),
    setAside: settled.setAside.length,
  };
}

/** Tells of conflicts that were not told yet; one between the same statements is the same. */
async function tellConflicts(events: EventLog, runId: string, conflicts: readonly Conflict[]): Promise<void> {
  for (const conflict of conflicts) {
    const ordinal = [...conflict.findingIds].sort().join(' ');
    const key = eventKey({ pass: 0, step: 'gather', type: 'conflict-detected', ordinal });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: toldConflict(conflict) });
  }
}
