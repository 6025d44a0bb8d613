import type { BriefSubtopic } from '../../../contracts/brief/brief-material';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf } from '../../../contracts/run/engines';
import { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { NO_USAGE } from '../../../core/budget/usage';
import type { CheckedStatement, StatementToCheck } from '../../../subtopics/check-statements';
import { GatheredMaterial } from '../../../subtopics/gathered-material';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { criticInput, criticVerdicts } from '../../shared/ask-critic';
import type { ActivityPorts } from '../../shared/ports';
import { readTexts } from '../../shared/read-texts';
import { inTurn, runStep, type Spent } from '../../shared/run-step';
import { auditText } from '../../../steps/audit-text/audit-text';
import type { BriefFacts } from '../brief-facts';
import { z } from 'zod';
import { SourceId } from '../../../contracts/source/source';

export interface CheckSummariesInput {
  run: BriefFacts;
  materialRef: ArtifactRef;
  subtopicId: string;
}

export interface CheckedSummaries extends Spent {
  /** `SummaryChecks`. */
  checksRef: ArtifactRef;
  sentences: number;
}

/**
 * Each statement of a subtopic that cites a source of which the text was given, against that text: by words, then by the critic
 * where words do not find it said and there is one.
 */
export async function checkSummaries(
  ports: ActivityPorts,
  { run, materialRef, subtopicId }: CheckSummariesInput,
  signal: AbortSignal,
): Promise<CheckedSummaries> {
  const material = await readShared(ports.content, materialRef, GatheredMaterial);
  const subtopic = material.subtopics.find(({ id }) => id === subtopicId);
  if (subtopic === undefined) throw new Error(`The material has no ${subtopicId}.`);
  const checked = await inTurn(ports, run, signal, () => byWords(ports, material, subtopic, signal));
  const verdicts = new Map(checked.map(({ id, verdict }) => [id, verdict]));
  const asked = await askedOfCritic(ports, run, { material, subtopic, checked, signal });
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

/** Against the whole texts, in a thread. */
async function byWords(
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

async function askedOfCritic(
  ports: ActivityPorts,
  run: BriefFacts,
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
): Promise<{ verdicts: Map<string, ClaimVerdict> } & Spent> {
  const verdicts = new Map<string, ClaimVerdict>();
  const claims = new Map(subtopic.findings.map(({ id, claim }) => [id, claim]));
  const open = checked.flatMap(({ id, verdict, windows, citesOthers }) =>
    verdict.verdict === 'supported' || windows.length === 0
      ? []
      : [{ id, plain: claims.get(id) ?? '', evidence: windows, byWords: verdict, citesOthers }],
  );
  if (open.length === 0 || !traitsOf(run.engine).asksModels)
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

/** Statements of a subtopic against the texts of their sources, by the finding's id; an artifact between two activities. */
export const SummaryChecks = z.object({
  verdicts: z.record(z.string(), ClaimVerdict),
  /** The source that bears a finding, where that is none of those whose marks it was given. */
  foundIn: z.record(z.string(), SourceId),
});
export type SummaryChecks = z.infer<typeof SummaryChecks>;
