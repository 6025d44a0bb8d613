import { join } from 'node:path';
import { z } from 'zod';
import { countOf, meanOf, rounded, sumOf } from './figures';
import * as product from './product';
import { extractiveStep, openEncoder } from './ranking';
import { readRecords, UsageError } from './records';

// An answer by the engine that asks no model, as a run makes it: retrieved, written, audited by words, and replied.

const TEMPERATURE = 0.7;
/** Document 003: several documents are brought together where two have two passages each. */
const SEVERAL = 2;
/** As the settings of an answer have it: so many passages, and so many tokens more where documents are brought together. */
const PASSAGES = 12;
const TOKENS = { alone: 400, together: 600 };
const BINS = 5;

type Retrieved = ReturnType<typeof product.settleRetrieval>;
type Passage = Retrieved['passages'][number];
type Draft = Parameters<typeof product.settleAnswer>[0];

/** A source as it is imported, its title and id among what is told of it. */
interface CorpusSource {
  entry: { id: string; title: string; url: string | null };
  content: string;
}

export async function readCorpus(file: string): Promise<CorpusSource[]> {
  const sources: CorpusSource[] = [];
  for await (const reading of product.readSources([file])) {
    if (!reading.ok) throw new UsageError(`${file} holds no sources: ${reading.problem.message}.`);
    const { id, title, author, site, publishedAt, pages, url = null, content } = reading.record;
    const facts = Object.entries({ author, site, publishedAt, pages }).filter(
      ([, value]) => value !== undefined,
    );
    sources.push({ entry: { id, title, ...Object.fromEntries(facts), url }, content });
  }
  return sources;
}

/** Retrieves for a question as the product's activity does: ranked by what passages mean where there is an encoder. */
export function openCorpus(sources: readonly CorpusSource[]): (question: string) => Promise<Retrieved> {
  const index = product.buildCorpusIndex(sources as Parameters<typeof product.buildCorpusIndex>[0]);
  const texts = new Map(sources.map(({ entry, content }) => [entry.id, content]));
  const textOf = (id: string): string | undefined => texts.get(id);
  return async (question) => {
    const nearest: number[] = [];
    const wordings = product.wordingsOf({ question, queries: [question] });
    const found = product.findPassages({ index, nearest, most: PASSAGES }, wordings);
    const candidates = product.candidatesOf({ index, found, textOf, given: [] });
    const toRank = product.passagesToRank(wordings, candidates, index);
    const ranking = await product.rankPassages(toRank, await openEncoder());
    return product.settleRetrieval({ toRank, ranking, candidates, index, nearest, most: PASSAGES });
  };
}

/** What the engine that asks no model answers from what was retrieved. */
export async function answered(
  question: string,
  { passages, counts, answerable }: Retrieved,
): Promise<Draft> {
  const perDocument = product.groupedBy(passages, ({ sourceId }) => sourceId);
  const synthesisMode = countOf([...perDocument.values()], (own) => own.length >= SEVERAL) >= SEVERAL;
  const input = product.AnswerInput.parse({
    question,
    history: [],
    temperature: TEMPERATURE,
    synthesisMode,
    passages,
    counts,
    answerable,
    maxTokens: synthesisMode ? TOKENS.together : TOKENS.alone,
  });
  return product.AnswerOutput.parse(await extractiveStep('answer', input));
}

/** How sure the product says it is of an answer: what stands after an audit by words is replied as a run replies it. */
export function confidenceOf(
  question: string,
  draft: Draft,
  { passages, searched, answerable }: Retrieved,
): number {
  const verifier = product.createVerifier({
    sources: passages.map(({ id, text, author, publishedAt, title }) => ({
      sourceId: id,
      content: text,
      attribution: [author, publishedAt, title].filter((part) => part !== undefined),
    })),
  });
  const sentences = draft.sentences.map((sentence) => ({
    ...sentence,
    verdict: verifier.verify(sentence.plain, sentence.passageIds),
  }));
  return product.writeReply({
    question,
    draft: product.settleAnswer({ ...draft, sentences }),
    passages,
    documents: searched.documents,
    answerable,
    answeredFrom: product.ANSWERED_FROM,
    overCompression: false,
    disputed: 0,
    observations: 0,
    settings: product.AnswerSettings.parse({}),
  }).confidence;
}

interface Confident {
  confidence: number;
  isRight: boolean;
}

/**
 * Expected calibration error: how far, on average, the confidence of a fifth of the answers is from the share of them that answer.
 * The fifths are by their confidence and of equal count, but that answers of the same confidence are never parted: their order
 * would decide what is measured.
 */
export function confidenceError(records: readonly Confident[]): number | null {
  const binOf = ({ confidence }: Confident): number => {
    const below = countOf(records, (one) => one.confidence < confidence);
    const same = countOf(records, (one) => one.confidence === confidence);
    return Math.floor((BINS * (below + same / 2)) / records.length);
  };
  const distances = [...product.groupedBy(records, binOf).values()].map((bin) =>
    Math.abs(sumOf(bin, ({ confidence }) => confidence) - countOf(bin, ({ isRight }) => isRight)),
  );
  const all = sumOf(distances, (distance) => distance);
  return records.length === 0 ? null : rounded(all / records.length);
}

/** The mean confidence beside the share that answers, which says in which direction it errs. */
export function confidenceFigures(records: readonly Confident[]): object {
  return {
    confidenceError: confidenceError(records),
    meanConfidence: meanOf(records.map(({ confidence }) => confidence)),
    answersShare: meanOf(records.map(({ isRight }) => Number(isRight))),
  };
}

/** The source of a claim's first citation. */
export function citedSource(
  claim: Draft['sentences'][number] | undefined,
  passages: readonly Passage[],
): string | undefined {
  return passages.find(({ id }) => id === claim?.passageIds[0])?.sourceId;
}

const Known = { answers: z.array(z.string()).optional(), evidence: z.array(z.string()).optional() };
const Own = z.object({ id: z.string(), question: z.string(), relevant: z.array(z.string()), ...Known });
const Asked = z.object({
  id: z.string(),
  question: z.string(),
  answerable: z.boolean(),
  by: z.array(z.string()).optional(),
  ...Known,
});

/** A question to a collection. `relevant` are the sources that answer it; null where none is known. */
export interface AskedQuestion {
  id: string;
  question: string;
  answerable: boolean;
  relevant: string[] | null;
  answers?: string[] | undefined;
  evidence?: string[] | undefined;
}

/**
 * The questions that are put to a collection: its own, of which all relevant sources are known, or those of another file, which
 * says whether there is an answer and may name, as `by`, some source that gives it.
 */
export function askedQuestions(folder: string, asked: string | undefined): AskedQuestion[] {
  if (asked === undefined)
    return readRecords(join(folder, 'questions.jsonl'), Own).map((record) => ({
      ...record,
      answerable: record.relevant.length > 0,
    }));
  return readRecords(asked, Asked).map(({ by, ...record }) => ({
    ...record,
    relevant: record.answerable ? (by ?? null) : [],
  }));
}
