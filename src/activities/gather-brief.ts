import { z } from 'zod';
import type { BriefSubtopic } from '../contracts/brief';
import { NO_USAGE } from '../contracts/budget';
import { ClaimVerdict, type Conflict } from '../contracts/finding';
import { capabilitiesOf } from '../contracts/pipeline';
import type { Warning } from '../contracts/run';
import { eventKey } from '../contracts/run-protocol';
import { type ArtifactRef, SourceId } from '../contracts/source';
import { GivenSubtopics } from '../contracts/start';
import { GatheredMaterial, type ListedSource, type SubtopicToRead } from '../report/brief/read-subtopic';
import type { CheckedStatement, StatementToCheck } from '../report/brief/subtopic-verdicts';
import { conflictPayload } from '../report/chapters';
import { auditText } from '../steps/audit-text';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { readArtifact, readCached, readTexts, storeArtifact } from './artifacts';
import { criticInput, criticVerdicts } from './audit-statements';
import type { ActivityPorts, BriefContext } from './ports';
import { MAX_RETURNED_WARNINGS, runStep, type UsageAndWarnings, withThreadSlot } from './run-step';

export interface GatherBriefInput {
  run: BriefContext;
  subtopicsRef: ArtifactRef;
  /** `accessedAt` of sources that have none. */
  asOf: string;
}

export interface GatheredBrief {
  /** A `BriefMaterial`, not yet checked against the texts of its sources. */
  materialRef: ArtifactRef;
  subtopics: { id: string; words: number }[];
  /** Sources in the citation index; `inFull` of them have a text. */
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
  // If there are texts, later checks may reject statements and their conflicts.
  if (inFull === 0) await recordConflicts(events, runId, material.conflicts);
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

export interface CheckSummariesInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  subtopicId: string;
}

export interface CheckedSummaries extends UsageAndWarnings {
  checksRef: ArtifactRef;
  sentences: number;
}

/** Checks lexically, then with the critic if there is one. */
export async function checkSummaries(
  ports: ActivityPorts,
  { run, materialRef, subtopicId }: CheckSummariesInput,
  signal: AbortSignal,
): Promise<CheckedSummaries> {
  const material = await readCached(ports.content, materialRef, GatheredMaterial);
  const subtopic = material.subtopics.find(({ id }) => id === subtopicId);
  if (subtopic === undefined) throw new Error(`The material has no ${subtopicId}.`);
  const checked = await withThreadSlot(ports, run, signal, () =>
    checkLexically(ports, material, subtopic, signal),
  );
  const verdicts = new Map(checked.map(({ id, verdict }) => [id, verdict]));
  const asked = await askCritic(ports, run, { material, subtopic, checked, signal });
  for (const [id, verdict] of asked.verdicts) verdicts.set(id, verdict);
  const found = checked.flatMap(({ id, foundIn }) => (foundIn === undefined ? [] : [[id, foundIn] as const]));
  const checks: SummaryChecks = {
    verdicts: Object.fromEntries(verdicts),
    foundIn: Object.fromEntries(found),
  };
  return {
    checksRef: await storeArtifact(ports.content, run.runId, checks),
    sentences: verdicts.size,
    usage: asked.usage,
    warnings: asked.warnings,
  };
}

async function checkLexically(
  { content, threads }: ActivityPorts,
  { sources, places, unmarked }: GatheredMaterial,
  { id: subtopicId, findings, summaryRef }: BriefSubtopic,
  signal: AbortSignal,
): Promise<CheckedStatement[]> {
  const cited = new Set(findings.flatMap(({ citations }) => citations));
  const given = sources.filter(({ id, contentRef }) => contentRef !== null && cited.has(id));
  if (given.length === 0) return [];
  const texts = await readTexts(content, [
    summaryRef,
    ...given.flatMap(({ contentRef }) => contentRef ?? []),
  ]);
  const inFull = given.flatMap(({ contentRef, url, ...source }) => {
    const text = texts.get(contentRef ?? '');
    return text === undefined ? [] : [{ ...source, content: text }];
  });
  const ids = new Set(inFull.map(({ id }) => id));
  const summary = texts.get(summaryRef) ?? '';
  const statements = findings.flatMap(({ id, claim, citations }): StatementToCheck[] => {
    const sourceIds = citations.filter((cites) => ids.has(cites));
    if (sourceIds.length === 0) return [];
    const own = places[id]?.find((place) => place.subtopicId === subtopicId);
    const markdown = own === undefined ? claim : summary.slice(own.start, own.end);
    return [
      {
        id,
        plain: claim,
        markdown,
        sourceIds,
        citesOthers: sourceIds.length < citations.length,
        isMarked: !unmarked.includes(id),
      },
    ];
  });
  return threads.run('check-statements', { statements, sources: inFull, definitions: [summary] }, signal);
}

async function askCritic(
  ports: ActivityPorts,
  run: BriefContext,
  {
    material,
    subtopic,
    checked,
    signal,
  }: {
    material: GatheredMaterial;
    subtopic: BriefSubtopic;
    checked: readonly CheckedStatement[];
    signal: AbortSignal;
  },
): Promise<{ verdicts: Map<string, ClaimVerdict> } & UsageAndWarnings> {
  const verdicts = new Map<string, ClaimVerdict>();
  const claims = new Map(subtopic.findings.map(({ id, claim }) => [id, claim]));
  const open = checked.flatMap(({ id, verdict, windows, citesOthers }) =>
    verdict.verdict === 'supported' || windows.length === 0
      ? []
      : [{ id, plain: claims.get(id) ?? '', evidence: windows, byWords: verdict, citesOthers }],
  );
  if (open.length === 0 || !capabilitiesOf(run.engine).asksModels)
    return { verdicts, usage: NO_USAGE, warnings: [] };
  const place = { pass: 0, section: subtopic.id };
  const input = criticInput(open, material.sources, subtopic.title);
  const { output, usage, warnings } = await runStep(ports, run, auditText, input, { place, signal });
  for (const [at, verdict] of criticVerdicts(open, input, output).entries()) {
    const one = open[at];
    const isUncertain = one?.citesOthers === true && verdict.verdict === 'unsupported';
    if (one !== undefined && !isUncertain) verdicts.set(one.id, verdict);
  }
  return { verdicts, usage, warnings };
}

export interface SettleMaterialInput {
  run: BriefContext;
  materialRef: ArtifactRef;
  checksRefs: ArtifactRef[];
}

export interface SettledMaterial {
  /** A `BriefMaterial` without unsupported statements. */
  materialRef: ArtifactRef;
  setAside: number;
}

export async function settleMaterial(
  { content, events, threads }: ActivityPorts,
  { run, materialRef, checksRefs }: SettleMaterialInput,
  signal: AbortSignal,
): Promise<SettledMaterial> {
  const { runId, question } = run;
  const material = await readCached(content, materialRef, GatheredMaterial);
  const checks = await Promise.all(checksRefs.map((ref) => readCached(content, ref, SummaryChecks)));
  const verdicts = Object.fromEntries(checks.flatMap((one) => Object.entries(one.verdicts)));
  const foundIn = Object.fromEntries(checks.flatMap((one) => Object.entries(one.foundIn)));
  const given = { question, material, verdicts, foundIn };
  const settled = await threads.run('settle-material', given, signal);
  await recordConflicts(events, runId, settled.conflicts);
  return {
    materialRef: await storeArtifact(content, runId, settled),
    setAside: settled.setAside.length,
  };
}

/** Conflicts between the same statements are one. */
async function recordConflicts(
  events: EventLog,
  runId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const ordinal = [...conflict.findingIds].sort().join(' ');
    const key = eventKey({ pass: 0, step: 'gather', type: 'conflict-detected', ordinal });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: conflictPayload(conflict) });
  }
}

const SummaryChecks = z.object({
  verdicts: z.record(z.string(), ClaimVerdict),
  /** The source that supports a finding, if that is none of the cited ones. */
  foundIn: z.record(z.string(), SourceId),
});
export type SummaryChecks = z.infer<typeof SummaryChecks>;
