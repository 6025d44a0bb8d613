import { z } from 'zod';
import { AnswerMessage } from '../../contracts/answer/message';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { corpusIndexKey } from '../../retrieval/index-keys';
import { stepVersions } from '../../steps/step-versions';
import { storeArtifact } from '../shared/artifacts';
import { pinPrompts } from '../shared/pinned-prompts';
import type { ActivityPorts } from '../shared/ports';
import { ANSWER_STEPS } from './answer-steps';
import { conversationTurns } from './conversation/conversation-turns';
import type { AdmitAnswerInput } from './material/admit-answer-input';
import { importDocuments } from './material/import-documents';
import { keptList, keptText } from './material/kept-list';
import { storeGiven, type GivenMaterial } from './material/store-given';
import { wholeCritique } from './material/whole-critique';

export interface AdmittedAnswer extends GivenMaterial {
  /** What is wrong with what was given; a run with a problem is not begun. */
  problems: string[];
  stepVersions: Record<string, string>;
  /** The prompts that its steps have outside the program; null where there are none. */
  promptsRef: ArtifactRef | null;
  /** When the log begins that an earlier run of the id has left; null where there is none. */
  formerLogBegunAt: string | null;
  /** What is searched: the sources that were given by reference, and whole documents; null where there are none. */
  manifestRef: ArtifactRef | null;
  /** Whether the index of these is there. */
  isIndexed: boolean;
  /** The turns before the question, the latest of them; null where there are none. */
  historyRef: ArtifactRef | null;
  /** What the caller says was wrong with an answer of its own. */
  critiqueRef: ArtifactRef | null;
}

/**
 * Stores what an answer may rest on and looks at it, before anything else is done: the run holds it from now on. Nothing of the
 * run has been told yet, so a log that is there is another's.
 */
export async function admitAnswer(
  ports: ActivityPorts,
  given: AdmitAnswerInput,
  signal: AbortSignal,
): Promise<AdmittedAnswer> {
  const { content, derived, events } = ports;
  const { runId, history, historyRef, maxHistory, critique, observations = [], observationsRef } = given;
  const { finalOutput, finalOutputRef } = given;
  const [first] = await events.read(runId, { limit: 1 });
  const observed = await keptList(content, runId, {
    name: 'observationsRef',
    ref: observationsRef,
    item: z.string(),
    what: 'texts',
  });
  const before = await keptList(content, runId, {
    name: 'historyRef',
    ref: historyRef,
    item: AnswerMessage,
    what: 'messages',
  });
  const output = await keptText(content, { name: 'finalOutputRef', ref: finalOutputRef });
  const { manifestRef, problems: ofSources } = await importDocuments(content, given);
  const stored = await storeGiven(content, runId, {
    observations: [...observations, ...observed.items],
    finalOutput: finalOutput ?? output.text,
  });
  const turns =
    maxHistory === 0 ? [] : [...(await conversationTurns(ports, given)), ...before.items, ...history];
  const store = (value: unknown): Promise<ArtifactRef> => storeArtifact(content, runId, value);
  const problems = [...observed.problems, ...before.problems, ...output.problems, ...ofSources];
  return {
    problems,
    stepVersions,
    promptsRef: problems.length > 0 ? null : await pinPrompts(ports, given, ANSWER_STEPS, signal),
    formerLogBegunAt: first?.at ?? null,
    manifestRef,
    isIndexed:
      manifestRef !== null && (await derived.hold(runId, [corpusIndexKey(manifestRef)])).length === 0,
    ...stored,
    historyRef: turns.length === 0 ? null : await store(turns.slice(-maxHistory)),
    critiqueRef: critique === undefined ? null : await store(wholeCritique(critique)),
  };
}
