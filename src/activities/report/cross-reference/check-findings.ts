import { FINDINGS_CHARS } from '../../../core/budget/call-estimates';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { traitsOf } from '../../../contracts/run/engines';
import type { Finding } from '../../../contracts/report/finding';
import type { CataloguedSource } from '../../../contracts/source/source';
import { crossCheck } from '../../../steps/cross-check/cross-check';
import type { SectionScope } from '../../../steps/material/section-scope';
import { storeArtifact } from '../../shared/artifacts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { readWindows } from '../deep-dive/read-windows';
import { runStep, type Spent } from '../../shared/run-step';
import { sectionChecks } from './section-checks';
import { tellConflicts } from './tell-conflicts';

export interface FindingsToCheck {
  section: SectionScope;
  findings: Finding[];
  /** The sources to hold them against, best first. */
  sources: readonly CataloguedSource[];
  /** What the passages that are read are to be about. */
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
  // What a model names is told when it is confirmed.
  if (!traitsOf(run.engine).asksModels) await tellConflicts(ports.events, run.runId, output.conflicts);
  return { checksRef, ...spent };
}
