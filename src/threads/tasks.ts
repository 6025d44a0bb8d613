import { runExtractiveStep } from '../engines/extractive/steps';
import { signatureOf } from '../core/near-duplicates';
import { mentionsOf } from '../core/planning/mentions';
import { furtherSources } from '../core/further-sources';
import { passageWindows } from '../core/passage-windows';
import { reconcileFindings } from '../reading/reconcile/reconcile-findings';

/**
 * What worker threads do: work that would hold up the main thread, which must go on sending heartbeats. Each task is a
 * pure function; its input and output are copied between threads.
 */
const tasks = {
  'extractive-step': ({ step, input }: { step: string; input: unknown }): unknown =>
    runExtractiveStep(step, input),
  'survey-texts': ({ question, texts }: { question: string; texts: string[] }): TextSurvey[] => {
    const mentions = mentionsOf(question, texts);
    return texts.map((text, at) => ({ signature: [...signatureOf(text)], mentions: mentions[at] ?? [] }));
  },
  'passage-windows': passageWindows,
  'further-sources': furtherSources,
  reconcile: reconcileFindings,
};

/** What is found out about a text by reading all of it: what near-duplicates and what the question's topics are found by. */
export interface TextSurvey {
  signature: number[];
  mentions: number[];
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
