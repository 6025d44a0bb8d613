import type { ArtifactRef } from '../../contracts/run/artifact';
import type { EngineName } from '../../contracts/run/run';
import { stepVersions } from '../../steps/step-versions';
import { pinPrompts } from '../shared/pinned-prompts';
import type { RunSearch } from '../../contracts/run/search';
import { searchProblems } from '../shared/search/open-search';
import { sourceProblems } from '../shared/source-problems';
import type { ActivityPorts } from '../shared/ports';
import type { StepName } from '../../steps/registry';

export interface AdmitRunInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
  engine: EngineName;
  /** Where the run looks for sources itself; with a count of 0 it was given none. */
  search?: RunSearch;
}

export interface Admission {
  /** What is wrong with the sources that the run was given; a run with a problem is not begun. */
  problems: string[];
  stepVersions: Record<string, string>;
  /** The prompts that its steps have outside the program; absent where there are none. */
  promptsRef?: ArtifactRef;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
}

/**
 * Looks at what a run is to work on before it begins, and has it hold that: whoever stored it may let it go then. Nothing
 * of the run has been told yet, so a log that is there is another's.
 */
export async function admitRun(
  ports: ActivityPorts,
  { runId, manifestRef, sourceCount, engine, search }: AdmitRunInput,
  signal: AbortSignal,
): Promise<Admission> {
  const problems = [
    ...searchProblems(ports, search),
    ...(sourceCount === 0 && search !== undefined
      ? []
      : await sourceProblems(ports.content, { runId, manifestRef, sourceCount })),
  ];
  const [first] = await ports.events.read(runId, { limit: 1 });
  const promptsRef =
    problems.length > 0 ? null : await pinPrompts(ports, { runId, engine }, REPORT_STEPS, signal);
  return {
    problems,
    stepVersions,
    ...(promptsRef === null ? {} : { promptsRef }),
    formerLogBegunAt: first?.at ?? null,
  };
}

export const REPORT_STEPS: readonly StepName[] = [
  'plan-search',
  'summarise',
  'outline',
  'merge-outlines',
  'score-relevance',
  'extract-findings',
  'cross-check',
  'write-text',
  'audit-text',
  'mend-text',
  'judge',
];
