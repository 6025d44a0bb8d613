import type { ArtifactRef } from '../../contracts/run/artifact';
import { stepVersions } from '../../steps/step-versions';
import { sourceProblems } from '../shared/source-problems';
import type { ActivityPorts } from '../shared/ports';

export interface AdmitRunInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
}

export interface Admission {
  /** What is wrong with the sources that the run was given; a run with a problem is not begun. */
  problems: string[];
  stepVersions: Record<string, string>;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
}

/**
 * Looks at what a run is to work on before it begins, and has it hold that: whoever stored it may let it go then. Nothing
 * of the run has been told yet, so a log that is there is another's.
 */
export async function admitRun(
  { content, events }: ActivityPorts,
  { runId, manifestRef, sourceCount }: AdmitRunInput,
): Promise<Admission> {
  const problems = await sourceProblems(content, { runId, manifestRef, sourceCount });
  const [first] = await events.read(runId, { limit: 1 });
  return { problems, stepVersions, formerLogBegunAt: first?.at ?? null };
}
