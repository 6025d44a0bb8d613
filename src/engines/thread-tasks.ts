import { workerData } from 'piscina';
import type { Outline, OutlinePlan } from '../contracts/outline';
import type { WordCounts } from '../contracts/source';
import { reconcileFindings } from '../evidence/reconcile-findings';
import { type AddressedEntry, catalogued, mergeByUrl } from '../evidence/source-records';
import { errorMessage } from '../lib/errors';
import { gatherSubtopics } from '../report/brief/gather-subtopics';
import { checkStatements, settleMaterial } from '../report/brief/subtopic-verdicts';
import { rankedOutline, type RelevanceScores } from '../report/ranked-outline';
import { sourcesAnswer } from '../text/answerability';
import { surveyTexts } from '../text/collection';
import { nearDuplicateCandidates, signatureOf, verifyCopies } from '../text/duplicates';
import { createRememberingEncoder, type Encoder } from '../text/encoder';
import { indexSource, mergeSegments } from '../text/index-segments';
import {
  furtherSources,
  heldWords,
  nearestToEach,
  type RankedText,
  termHolders,
  type WantedTopic,
} from '../text/lexical-relevance';
import { openOnnxEncoder } from '../text/onnx-encoder';
import { rankPassages } from '../text/passage-ranking';
import { passageWindows, sourceDigests } from '../text/passage-windows';
import { rankTexts } from '../text/ranking';
import { runExtractiveStep } from './extractive/extractive-steps';
import { type PassGate, passing } from './native-gate';

/** CPU-bound work, because the main thread has to send heartbeats. Tasks are pure; their data is copied. */
const tasks = {
  'extractive-step': async (
    { step, input }: { step: string; input: unknown },
    encoder: Encoder | null,
  ): Promise<unknown> => runExtractiveStep(step, input, encoder),
  /** The reason why there is no encoder; null if it runs. */
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
  /** True keeps the sections of a person's outline, and those with written text, as they are. */
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
  gate: Int32Array;
}

const READ_BY_MEANING: ReadonlySet<TaskName> = new Set([
  'extractive-step',
  'reconcile',
  'sources-answer',
  'rank-passages',
  'rank-texts',
]);

export default async function runTask({ task, input, gate }: TaskCall): Promise<unknown> {
  // The pool pairs a task's name with its input.
  const run = tasks[task] as (argument: unknown, encoder: Encoder | null) => unknown;
  beginTask(passing(gate));
  return run(input, READ_BY_MEANING.has(task) ? (await threadEncoder()).encoder : null);
}

export type EncoderChoice = 'on' | 'off';

export type ThreadEncoder = { encoder: Encoder; lack: null } | { encoder: null; lack: string };

let opened: Promise<ThreadEncoder> | undefined;
let pass: PassGate = (call) => call();

function beginTask(gate: PassGate): void {
  pass = gate;
}

function threadEncoder(): Promise<ThreadEncoder> {
  const { encoder } = workerData as { encoder: EncoderChoice }; // the pool hands it to each thread
  opened ??=
    encoder === 'off' ? Promise.resolve({ encoder: null, lack: 'the encoder is off' }) : openEncoder();
  return opened;
}

async function openEncoder(): Promise<ThreadEncoder> {
  try {
    return { encoder: createRememberingEncoder(await openOnnxEncoder((call) => pass(call))), lack: null };
  } catch (error) {
    return { encoder: null, lack: `the encoder does not run here (${errorMessage(error)})` };
  }
}
