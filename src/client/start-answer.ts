import { z } from 'zod';
import { Critique } from '../contracts/finding';
import type { Warning } from '../contracts/run';
import { AnswerSettings, JudgeSettings } from '../contracts/run-settings';
import { ArtifactRef, type SourceEntry } from '../contracts/source';
import { AnswerMessage, type AnswerRunInput } from '../contracts/start';
import { toArtifactText } from '../lib/json';
import { schemaProblemTexts } from '../lib/validation';
import { questionIndex, resolveQuestion } from '../report/answer-state';
import { readRecords } from '../sources/source-readings';
import { answerCalls, estimateCalls } from '../steps/estimate';
import type { ContentStore } from '../stores/content-store';
import { InvalidRequestError } from './client-errors';
import type { ImportRecords } from './run-records';
import {
  type AnswerRequest,
  type Corpus,
  resolveSearch,
  type RunDefinition,
  searchProblems,
  type StoredMaterial,
} from './run-requests';
import { importRequestSources, lookUpFiles, NO_LOOKUP, readStoredSources, sourceSizes } from './source-input';

/** The workflow's limit. */
const MAX_OBSERVATIONS = 1_000;

type Settings = Pick<AnswerRunInput, 'answers' | 'judge' | 'critique' | 'search'>;
type Material = Pick<
  AnswerRunInput,
  'observationsRef' | 'historyRef' | 'finalOutputRef' | 'manifestRef' | 'sourceCount'
>;

export const ANSWER_DEFINITION: RunDefinition<AnswerRequest, null, Settings, Material> = {
  kind: 'answer',
  idName: 'requestId',
  idOf: ({ requestId }) => requestId,
  asked: ({ question, messages }) => ({
    question: question ?? messages?.[questionIndex(messages)]?.content,
    name: question === undefined ? 'the first human message' : 'question',
    missing:
      messages === undefined
        ? 'question is missing: give a question, or messages with a human one'
        : 'messages has no human message, whose content would be the question: add one, or give a question',
  }),
  problems: (request) => [
    ...materialProblems(request),
    ...searchProblems(request.search),
    ...fieldProblems(request),
  ],
  read: () => Promise.resolve(null),
  settings: (_content, _holder, { answers = {}, judge, critique, search }) =>
    Promise.resolve({
      ...(critique === undefined ? {} : { critique }),
      ...(search === undefined ? {} : { search: resolveSearch(search) }),
      answers: AnswerSettings.parse(answers),
      ...(judge === undefined ? {} : { judge: JudgeSettings.parse(judge) }),
    }),
  store: (content, holder, { request }) => storeMaterial(content, holder, request),
  async estimate(content, asked, { answers, judge, search }, { manifestRef, observationsRef, historyRef }) {
    if (search !== undefined) return null;
    const listed = manifestRef === undefined ? [] : await sourceSizes(content, manifestRef);
    if (listed === null) return null;
    const [observations, history] = await Promise.all(
      [observationsRef, historyRef].map(async (ref) => (ref === undefined ? null : content.retrieve(ref))),
    );
    const given = observations ? [{ contentChars: observations.length, nameChars: 0 }] : [];
    return estimateCalls(
      answerCalls({
        ...asked,
        sources: [...listed, ...given],
        historyChars: history?.length ?? 0,
        answers,
        isJudged: judge?.enabled === true,
      }),
      asked.models,
    );
  },
  input: (common, settings, material): AnswerRunInput => ({
    ...common,
    kind: 'answer',
    history: [],
    ...settings,
    ...material,
  }),
  async firing(request) {
    const { sources, ...rest } = request;
    if (sources === undefined || !('paths' in sources))
      return {
        paths: [],
        store: async (records, keptAs) => ({
          ...NO_LOOKUP,
          input: (await storeMaterial(records, keptAs, request)).input,
        }),
      };
    if (request.documents !== undefined)
      throw new InvalidRequestError([
        'documents and paths are both given: a schedule reads paths when it fires, so give one of them',
      ]);
    const found = await lookUpFiles(sources);
    return {
      paths: found.settings.paths,
      store: async (records, keptAs) => ({
        ...NO_LOOKUP,
        input: (await storeMaterial(records, keptAs, rest)).input,
        sources: found,
      }),
    };
  },
};

function materialProblems({ observations = [], documents, sources, corpus }: AnswerRequest): string[] {
  const problems: string[] = [];
  if (observations.length > MAX_OBSERVATIONS)
    problems.push(
      `observations has ${observations.length} texts; at most ${MAX_OBSERVATIONS} are allowed: give the others as documents`,
    );
  if (corpus !== undefined && sources !== undefined)
    problems.push('sources and corpus are both given: give one of them, or open a corpus of both');
  if (corpus !== undefined && documents !== undefined)
    problems.push('documents and corpus are both given: give one of them, or open a corpus of both');
  if (sources !== undefined && 'paths' in sources && sources.paths.length === 0)
    problems.push('sources has no path; at least one is needed');
  if (corpus !== undefined && corpus.count < 1) problems.push('corpus has no source; at least one is needed');
  return problems;
}

function fieldProblems(request: AnswerRequest): string[] {
  return schemaProblemTexts([
    ['messages', z.array(AnswerMessage).optional(), request.messages],
    ['history', z.array(AnswerMessage).optional(), request.history],
    ['observations', z.array(z.string()).optional(), request.observations],
    ['finalOutput', z.string().optional(), request.finalOutput],
    ['corpus.manifestRef', ArtifactRef.optional(), request.corpus?.manifestRef],
    ['critique', Critique.partial().optional(), request.critique],
    ['answers', AnswerSettings.partial().optional(), request.answers],
  ]);
}

/** The workflow's history contains references only. */
async function storeMaterial(
  records: ImportRecords,
  holder: string,
  request: AnswerRequest,
): Promise<StoredMaterial<Material>> {
  const { content } = records;
  const { observations = [], finalOutput } = request;
  const { manifestRef, count, warnings } =
    request.corpus === undefined
      ? await storeCorpus(records, holder, request)
      : { ...request.corpus, warnings: [] };
  const history = resolveQuestion({ history: [], ...request })?.history ?? [];
  const store = (value: unknown): Promise<ArtifactRef> => content.store(holder, toArtifactText(value));
  return {
    input: {
      ...(observations.length === 0 ? {} : { observationsRef: await store(observations) }),
      ...(history.length === 0 ? {} : { historyRef: await store(history) }),
      ...(finalOutput === undefined ? {} : { finalOutputRef: await content.store(holder, finalOutput) }),
      ...(manifestRef === undefined ? {} : { manifestRef }),
      sourceCount: count,
    },
    sources: count,
    warnings,
  };
}

async function storeCorpus(
  records: ImportRecords,
  holder: string,
  { sources, documents }: AnswerRequest,
): Promise<{ manifestRef?: ArtifactRef; count: number; warnings: Warning[] }> {
  const given = documents === undefined ? [] : [readRecords(documents)];
  if (sources === undefined && given.length === 0) return { count: 0, warnings: [] };
  return importRequestSources(records, holder, sources, given);
}

export interface KnownCorpus extends Corpus {
  sources: SourceEntry[];
}

/** Rejects with `InvalidRequestError` if this store has no such list. */
export async function knownCorpus(
  { content }: { content: ContentStore },
  manifestRef: string,
): Promise<KnownCorpus> {
  const sources = await readStoredSources(content, manifestRef);
  if (sources === null)
    throw new InvalidRequestError([
      `manifestRef is ${manifestRef}, and this store has no list of sources under it: import them again, or name the data folder in which they are`,
    ]);
  return { manifestRef, count: sources.length, sources };
}
