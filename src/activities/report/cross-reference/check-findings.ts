import { FINDINGS_CHARS } from '../../../core/budget/call-estimates';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Finding, Conflict } from '../../../contracts/report/finding';
import { type CataloguedSource, SourceId } from '../../../contracts/source/source';
import { crossCheck } from '../../../steps/cross-check/cross-check';
import type { SectionScope } from '../../../steps/material/section-scope';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readWindows } from '../deep-dive/read-sources';
import { runStep, type Spent } from '../../shared/run-step';
import { z } from 'zod';
import type { SourceWindow } from '../../../contracts/source/passage';
import { CrossCheckOutput } from '../../../steps/cross-check/contract';
import { opposingQuotes } from '../../../core/evidence/opposing-quotes';
import { toldConflict } from '../../../core/evidence/told-conflict';
import { eventKey } from '../../../core/run/event-key';
import type { EventLog } from '../../../stores/event-log';

export interface FindingsToCheck {
  section: SectionScope;
  findings: Finding[];
  /** The sources to hold them against, best first. */
  sources: readonly CataloguedSource[];
  wanted: SectionScope;
  /** True: every finding is checked, however sure it is. */
  checkAll?: boolean;
}

/** Holds findings against sources, keeps what comes of it (`SectionChecks`), and tells of the conflicts at once. */
export async function checkFindings(
  ports: ActivityPorts,
  run: ReportFacts,
  { section, findings, sources: chosen, wanted, checkAll = false }: FindingsToCheck,
  signal: AbortSignal,
): Promise<{ checksRef: ArtifactRef } & Spent> {
  const at = { pass: 3, besides: FINDINGS_CHARS, signal };
  const { sources } = await readWindows(ports, run, wanted, chosen, at);
  const { enableFactChecking: factChecking, enableConflictDetection: detectConflicts } = run.synthesis;
  const settings = { factChecking, checkAll, detectConflicts };
  const input = { question: run.question, section, findings, sources, ...settings };
  const place = { pass: 3, section: section.id };
  const { output, ...spent } = await runStep(ports, run, crossCheck, input, { place, signal });
  const checksRef = await storeArtifact(ports.content, run.runId, sectionChecks(output, sources));
  await tellConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, ...spent };
}

export const SectionChecks = CrossCheckOutput.extend({ readInFull: z.array(SourceId) });
export type SectionChecks = z.infer<typeof SectionChecks>;

export function sectionChecks(output: CrossCheckOutput, windows: readonly SourceWindow[]): SectionChecks {
  const read = windows.filter(({ summaryOnly }) => !summaryOnly);
  return { ...output, readInFull: read.map(({ sourceId }) => sourceId) };
}

export function sourcesOf(findings: readonly Pick<Finding, 'citations' | 'evidence'>[]): string[] {
  return findings.flatMap(({ citations, evidence }) => [
    ...citations,
    ...evidence.map(({ sourceId }) => sourceId),
  ]);
}

export function checkedSources(checks: SectionChecks | null): string[] {
  return [
    ...(checks?.checks ?? []).flatMap(({ supporting, contradicting }) =>
      [...supporting, ...contradicting].map(({ sourceId }) => sourceId),
    ),
    ...(checks?.conflicts ?? []).flatMap(({ viewpoints }) => sourcesOf(viewpoints)),
  ];
}

/** Tells of conflicts that were not told yet: what has the same quotes against each other is one, whoever finds it. */
export async function tellConflicts(
  events: EventLog,
  runId: string,
  conflicts: readonly Conflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const key = eventKey({
      pass: 3,
      step: 'cross-check',
      type: 'conflict-detected',
      ordinal: opposingQuotes(conflict),
    });
    await events.appendOnce(runId, key, { type: 'conflict-detected', payload: toldConflict(conflict) });
  }
}
