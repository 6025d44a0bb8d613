import { ZodError } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { EngineName } from '../../contracts/run/run';
import { stepVersions } from '../../steps/step-versions';
import { MissingArtifactError } from '../shared/artifacts';
import { openManifest } from './gather/manifest';
import { pinPrompts } from '../shared/pinned-prompts';
import type { ActivityPorts } from '../shared/ports';
import { REPORT_STEPS } from './report-steps';

export interface AdmitRunInput {
  runId: string;
  manifestRef: ArtifactRef;
  sourceCount: number;
  /** Absent in histories from before prompts were pinned. */
  engine?: EngineName;
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
  { runId, manifestRef, sourceCount, engine }: AdmitRunInput,
  signal: AbortSignal,
): Promise<Admission> {
  const problems = await sourceProblems(ports.content, { runId, manifestRef, sourceCount });
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

async function sourceProblems(
  content: ActivityPorts['content'],
  { runId, manifestRef, sourceCount }: AdmitRunInput,
): Promise<string[]> {
  const manifest = `manifestRef is ${manifestRef}`;
  if (!(await content.has(manifestRef)))
    return [
      `${manifest}, which is not in this worker's content store; "colligate import", run on the worker's data folder, stores sources`,
    ];
  try {
    const { count, refs, between } = await openManifest(content, manifestRef);
    if (count !== sourceCount)
      return [`sourceCount is ${sourceCount}; allowed: ${count}, which the manifest lists`];
    const sources = await between(0, count);
    const texts = sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef ?? contentRef]);
    const missing = await content.hold(runId, [...refs, ...new Set(texts)]);
    if (missing.length === 0) return [];
    return [`${manifest}, and ${missing.length} of the texts that it lists are not in the content store`];
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return [`${manifest}, and a part of that list is not in the content store`];
    if (error instanceof ZodError || error instanceof SyntaxError)
      return [`${manifest}, which is no list of sources; "colligate import" gives one`];
    throw error;
  }
}
