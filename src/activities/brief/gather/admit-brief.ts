import { z } from 'zod';
import type { BriefRunInput } from '../../../contracts/brief/brief-run';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Warning } from '../../../contracts/run/run';
import { readTemplate } from '../../../core/brief/template';
import type { ContentStore } from '../../../stores/content-store';
import { stepVersions } from '../../../steps/step-versions';
import { templateText } from '../../../templates/template-text';
import { MissingArtifactError, readArtifact, storeArtifact } from '../../shared/artifacts';
import { pinPrompts } from '../../shared/pinned-prompts';
import type { ActivityPorts } from '../../shared/ports';
import { BRIEF_STEPS } from '../brief-steps';
import { subtopicProblems } from './subtopic-problems';

export type AdmitBriefInput = Pick<BriefRunInput, 'runId' | 'engine' | 'question' | 'brief' | 'asOf'> & {
  subtopics?: BriefRunInput['subtopics'];
  subtopicsRef?: BriefRunInput['subtopicsRef'];
};

export interface AdmittedBrief {
  /** What is wrong with what was given; a run with a problem is not begun. */
  problems: string[];
  /** The subtopics, which the run holds from now on. */
  subtopicsRef: ArtifactRef;
  stepVersions: Record<string, string>;
  /** The prompts that its steps have outside the program; null where there are none. */
  promptsRef: ArtifactRef | null;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
  warnings: Warning[];
}

/**
 * Looks at what a brief is to be made of before it begins, and has the run hold that. Nothing of the run has been told yet, so a
 * log that is there is another's.
 */
export async function admitBrief(
  ports: ActivityPorts,
  given: AdmitBriefInput,
  signal: AbortSignal,
): Promise<AdmittedBrief> {
  const { content, events } = ports;
  const { runId } = given;
  const { subtopicsRef, problems: ofSubtopics } = await givenSubtopics(content, given);
  const problems = [...ofSubtopics, ...(await templateProblems(given.brief.template))];
  const [first] = await events.read(runId, { limit: 1 });
  return {
    problems,
    subtopicsRef,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, BRIEF_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    warnings: [],
  };
}

async function templateProblems(setting: string): Promise<string[]> {
  const read = readTemplate(await templateText(setting));
  return 'problems' in read ? read.problems.map((problem) => `brief.template: ${problem}`) : [];
}

async function givenSubtopics(
  content: ContentStore,
  { runId, subtopics, subtopicsRef }: AdmitBriefInput,
): Promise<{ subtopicsRef: ArtifactRef; problems: string[] }> {
  if (subtopicsRef === undefined) {
    const stored = await storeArtifact(content, runId, subtopics ?? []);
    return { subtopicsRef: stored, problems: subtopicProblems(subtopics ?? []) };
  }
  const named = `subtopicsRef is ${subtopicsRef}`;
  const refused = (problem: string): { subtopicsRef: ArtifactRef; problems: string[] } => ({
    subtopicsRef,
    problems: [problem],
  });
  if (subtopics !== undefined) return refused('subtopics and subtopicsRef are both given; give one of them');
  try {
    const kept = await readArtifact(content, subtopicsRef, z.array(z.unknown()));
    await content.hold(runId, [subtopicsRef]);
    return { subtopicsRef, problems: subtopicProblems(kept) };
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return refused(`${named}, which is not in this worker's content store`);
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return refused(`${named}, which is no list of subtopics`);
    throw error;
  }
}
