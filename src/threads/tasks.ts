import { runExtractiveStep } from '../engines/extractive/steps';
import { signatureOf } from '../core/near-duplicates';
import type { WordCounts } from '../core/contracts/word-counts';
import { furtherSources, nearestToEach } from '../core/further-sources';
import { passageWindows, sourceDigests } from '../core/passage-windows';
import { reconcileFindings } from '../reading/reconcile/reconcile-findings';
import { surveyTexts } from '../reading/survey-texts';

/**
 * What worker threads do: work that would hold up the main thread, which must go on sending heartbeats. Each task is a
 * pure function; its input and output are copied between threads.
 */
const tasks = {
  'extractive-step': ({ step, input }: { step: string; input: unknown }): unknown =>
    runExtractiveStep(step, input),
  'survey-texts': ({ question, texts }: { question: string; texts: string[] }): TextsSurvey => {
    const { counts, held } = surveyTexts(question, texts);
    const sources = texts.map((text, at) => ({ signature: [...signatureOf(text)], held: held[at] ?? [] }));
    return { counts, sources };
  },
  'passage-windows': passageWindows,
  'source-digests': sourceDigests,
  'further-sources': furtherSources,
  'nearest-to-each': nearestToEach,
  reconcile: reconcileFindings,
};

/** What is found out about texts by reading all of them: what near-duplicates are found by, and the question's words. */
export interface TextsSurvey {
  sources: { signature: number[]; held: string[] }[];
  counts: WordCounts;
}

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export interface TaskCall<Name extends TaskName = TaskName> {
  task: Name;
  input: Parameters<Tasks[Name]>[0];
}

/** The entry point of a thread. */
export default function runTask({ task, input }: TaskCall): unknown {
  const run = tasks[task] as (argument: unknown) => unknown; // the pool pairs a task's name with its input
  return run(input);
}
