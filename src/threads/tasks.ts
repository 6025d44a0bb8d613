import type { Encoder } from '../encoder/encoder';
import { runExtractiveStep } from '../engines/extractive/steps';
import { catalogued } from '../core/passages/catalogued';
import { nearDuplicateCandidates } from '../core/duplicates/near-duplicate-candidates';
import { signatureOf } from '../core/duplicates/near-duplicate-signature';
import { verifyCopies } from '../core/duplicates/near-duplicate-verification';
import { type AddressedEntry, mergeByUrl } from '../core/sources/source-url';
import type { WordCounts } from '../contracts/report/word-counts';
import { furtherSources, nearestToEach, termHolders } from '../core/passages/further-sources';
import { heldWords, type RankedText, type WantedTopic } from '../core/ranking/lexical-relevance';
import { passageWindows, sourceDigests } from '../core/passages/passage-windows';
import { indexSource } from '../retrieval/index-source';
import { mergeSegments } from '../retrieval/merge-segments';
import { rankPassages } from '../retrieval/rank-passages';
import { reconcileFindings } from '../reading/reconcile/reconcile-findings';
import { rankTexts } from '../reading/collection/rank-texts';
import { sourcesAnswer } from '../reading/collection/sources-answer';
import { rankedOutline } from '../core/ranking/ranked-outline';
import type { RelevanceScores } from '../core/ranking/ranked-outline';
import type { Outline, OutlinePlan } from '../contracts/report/outline';
import { passing } from './native-gate';
import { beginTask, threadEncoder } from './thread-encoder';
import { surveyTexts } from '../reading/collection/survey-texts';
import { checkStatements } from '../subtopics/check-statements';
import { gatherSubtopics } from '../subtopics/gather-subtopics';
import { settleMaterial } from '../subtopics/settle-material';

/**
 * What worker threads do: work that would hold up the main thread, which must go on sending heartbeats. Each task is a
 * pure function; its input and output are copied between threads.
 */
const tasks = {
  'extractive-step': async (
    { step, input }: { step: string; input: unknown },
    encoder: Encoder | null,
  ): Promise<unknown> => runExtractiveStep(step, input, encoder),
  /** Why sentences are read by their words alone; null where they are not. */
  'encoder-lack': async (): Promise<string | null> => (await threadEncoder()).lack,
  'survey-texts': ({ question, texts }: { question: string; texts: string[] }): TextsSurvey => {
    const { counts, held } = surveyTexts(question, texts);
    const sources = texts.map((text, at) => ({ signature: [...signatureOf(text)], held: held[at] ?? [] }));
    return { counts, sources };
  },
  'merge-by-url': (entries: readonly AddressedEntry[]): MergedEntries => {
    const { sources, merged } = mergeByUrl(entries);
    return { kept: new Set(sources.map(({ id }) => id)), merged };
  },
  'near-duplicate-candidates': nearDuplicateCandidates,
  'verify-copies': verifyCopies,
  catalogued,
  'passage-windows': passageWindows,
  'source-digests': sourceDigests,
  'term-holders': termHolders,
  'further-sources': furtherSources,
  'nearest-to-each': nearestToEach,
  'held-words': ({ topics, texts }: { topics: WantedTopic[]; texts: RankedText[] }): string[][] =>
    heldWords(topics, texts),
  'rank-outline': (given: PlanToRank): Outline =>
    rankedOutline(given.plan, given.scores, given.sourceIds, given.keepsSections),
  reconcile: reconcileFindings,
  'sources-answer': sourcesAnswer,
  'rank-texts': rankTexts,
  'index-sources': (contents: readonly string[]): Uint8Array[] => contents.map(indexSource),
  'merge-segments': mergeSegments,
  'rank-passages': rankPassages,
  'gather-subtopics': gatherSubtopics,
  'check-statements': checkStatements,
  'settle-material': settleMaterial,
};

interface MergedEntries {
  kept: Set<string>;
  merged: { id: string; into: string }[];
}

interface PlanToRank {
  plan: OutlinePlan;
  scores: RelevanceScores;
  sourceIds: readonly string[];
  /** A person's sections, and those that texts were written for, stay as they are. */
  keepsSections?: boolean;
}

export interface TextsSurvey {
  sources: { signature: number[]; held: string[] }[];
  counts: WordCounts;
}

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;
export interface TaskCall<Name extends TaskName = TaskName> {
  task: Name;
  input: Parameters<Tasks[Name]>[0];
  /** See `NativeGate`. */
  gate: Int32Array;
}

const READ_BY_MEANING: ReadonlySet<TaskName> = new Set([
  'extractive-step',
  'reconcile',
  'sources-answer',
  'rank-passages',
  'rank-texts',
]);

/** The entry point of a thread. */
export default async function runTask({ task, input, gate }: TaskCall): Promise<unknown> {
  // The pool pairs a task's name with its input.
  const run = tasks[task] as (argument: unknown, encoder: Encoder | null) => unknown;
  beginTask(passing(gate));
  return run(input, READ_BY_MEANING.has(task) ? (await threadEncoder()).encoder : null);
}
