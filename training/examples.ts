import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexPassage, SUPPORT_FEATURES, supportFeatures } from '../src/evidence/support-score';
import {
  ANSWERABLE_FEATURES,
  answerableFeatures,
  semanticFeatures,
  yesNoFeatures,
} from '../src/text/answerability';
import { type Collection, indexSources, sentencesOfSource } from '../src/text/collection';
import { createCachingEncoder } from '../src/text/encoder';
import {
  answerCandidates,
  type AnswerKind,
  FEATURES,
  featuresOf,
  questionColumns,
  readIndexed,
  type Reading,
  resultWords,
} from '../src/text/features';
import { openOnnxEncoder } from '../src/text/onnx-encoder';
import { type Question, readQuestion } from '../src/text/question';
import {
  ANSWERABILITY_FEATURES,
  MEANING_FEATURES,
  MEANING_WEIGHTS,
  meaningFeatures,
  type MeaningWeights,
  rankByMeaning,
  rankSentences,
  YES_NO_FEATURES,
} from '../src/text/ranking';
import { splitPassages, splitSentences, tokensOf } from '../src/text/sentences';
import { STOP_WORDS } from '../src/text/words';
import { pageOf, plainQuestion, readRecords, type StudyQuestion, type WiceRecord } from './records';

// Writes the examples that one kind of weights is learned from, one a line, with the features as the product computes them:
// `npx tsx training/examples.ts KIND DATA OUT`. The first line names the features, except for `result`.

interface Article {
  id: string;
  title: string;
  content: string;
}

interface GradedQuestion {
  id: string;
  question: string;
  answerable: boolean;
  sentences: string[];
  titles: string[];
  /** 3 answers, 2 bears on the answer, 1 is on the topic only, 0 off it. */
  grades: number[];
}

/** The best sentences are the nearest, so that what is learned does not depend on what was learned before. */
const BY_NEARNESS: MeaningWeights = {
  ...MEANING_WEIGHTS,
  sentence: { intercept: 0, weights: { titledMean: 7, result: 0 } },
};
/** The pages of WiCE are read for many questions. */
const REMEMBERED = 40_000;

/** Pages are read up to here, so that no page is most of a collection. */
const MOST_SENTENCES = 60;
const SHORTEST_PART = 5;
const ASKED_FOR: readonly AnswerKind[] = ['date', 'number', 'name'];
const RESULTS = /RESULT|FINDING/;
const OTHERS = /METHOD|DESIGN|BACKGROUND|INTRODUCTION|OBJECTIVE|AIM|PURPOSE/;
/** Of one kind so many stretches of a claim are asked for at most. */
const MOST_CLOZES = 2;

const KINDS: Readonly<Record<string, () => Promise<void> | void>> = {
  result: resultExamples,
  reader: readerExamples,
  answerable: answerableExamples,
  meaning: meaningExamples,
  bearing: bearingExamples,
};

const [kind = '', data = '', target = ''] = process.argv.slice(2);
const out = createWriteStream(target);

async function main(): Promise<void> {
  const examples = KINDS[kind];
  if (examples === undefined) throw new Error(`${kind} is none of ${Object.keys(KINDS).join(', ')}`);
  await examples();
  out.end();
}

/**
 * What the result score is trained on: 1 stands under a heading of results in its article's structured abstract, 0 under one of methods
 * or background. Articles on which there are questions are left out.
 */
function resultExamples(): void {
  const open = new Set(readFileSync(join(data, 'studies', 'without-questions.txt'), 'utf8').split(/\s+/));
  for (const { id, content } of records<Article>('studies', 'sources.jsonl')) {
    if (!open.has(id)) continue;
    for (const { headings, text } of splitPassages(content)) {
      const heading = headings.join(' ').toUpperCase();
      if (!heading.startsWith('ABSTRACT')) continue;
      const label = RESULTS.test(heading) ? 1 : OTHERS.test(heading) ? 0 : null;
      if (label === null) continue;
      for (const sentence of splitSentences(text)) write({ label, words: resultWords(sentence.text) });
    }
  }
}

function readerExamples(): void {
  write({ features: FEATURES });
  studies();
  wice();
}

function writeReader(
  set: string,
  group: string,
  question: Question,
  collection: Collection,
  labels: boolean[],
): void {
  const reading = readIndexed(question, collection);
  const columns = questionColumns(question, reading.weights);
  const features = collection.texts.map((_text, sentence) =>
    Array.from(featuresOf(reading, columns, sentence), (value) => rounded(value)),
  );
  write({ set, group, effect: question.asksForEffect, features, labels: labels.map(Number) });
}

/** Doctors' questions on single articles, as plain sentences; their evidence spans are the answers. */
function studies(): void {
  const articles = new Map(
    records<Article>('studies', 'sources.jsonl').map((article) => [article.id, article]),
  );
  for (const question of records<StudyQuestion>('studies', 'questions.jsonl')) {
    const article = articles.get(question.source_id);
    const evidence = question.evidence.filter(({ start }) => start >= 0);
    if (article === undefined || evidence.length === 0) continue;
    const sentences = sentencesOfSource(article.content);
    const source = { ...article, sentences: sentences.map(({ text }) => text) };
    const labels = sentences.map(({ start, end }) =>
      evidence.some((span) => start < span.end && span.start < end),
    );
    writeReader('studies', article.id, readQuestion(plainQuestion(question)), indexSources([source]), labels);
  }
}

/** Claims of an encyclopedia over the pages that they cite; and with a date, an amount or a name of them asked for. */
function wice(): void {
  for (const record of wiceRecords()) {
    const { id, claim, evidence, label, supporting_sentences } = record;
    if (label === 'not_supported') continue;
    const page = indexSources([pageOf(record)]);
    const supporting = new Set(supporting_sentences.flat());
    const labels = evidence.map((_sentence, at) => supporting.has(at));
    writeReader('wice', id, readQuestion(claim.replace(/\.$/, '')), page, labels);
    for (const kind of ['date', 'number', 'name'] satisfies AnswerKind[]) {
      const clozes = answerCandidates(claim, kind).flatMap(({ start, text }) => {
        const answer = tokensOf(text).filter((token) => !STOP_WORDS.has(token));
        const asked = evidence.map(
          (sentence, at) => supporting.has(at) && answer.every((token) => tokensOf(sentence).includes(token)),
        );
        const isUsable = answer.length > 0 && (kind !== 'name' || start > 0) && asked.some(Boolean);
        return isUsable
          ? [{ rest: `${claim.slice(0, start)} , ${claim.slice(start + text.length)}`, asked }]
          : [];
      });
      for (const { rest, asked } of clozes.slice(0, MOST_CLOZES))
        writeReader('cloze', id, { ...readQuestion(rest), kind }, page, asked);
    }
  }
}

/** By words: what tells an answerable question from one that is not. */
function answerableExamples(): void {
  write({ features: ANSWERABLE_FEATURES });
  for (const { group, question, collection, answerable } of putQuestions()) {
    const reading = readIndexed(question, collection);
    const features = answerableFeatures(reading, rankSentences(reading));
    const values = ANSWERABLE_FEATURES.map((feature) => rounded(features[feature]));
    write({ group, answerable: Number(answerable), features: values });
  }
}

/**
 * What reading by meaning is learned from: graded sentences, and whether a collection answers, for the graded questions, each with its
 * sentences as a collection, and for the pages of WiCE.
 */
async function meaningExamples(): Promise<void> {
  const encoder = createCachingEncoder(await openOnnxEncoder(), REMEMBERED);
  const writeAnswerable = async (
    { of, group }: { of: 'graded' | 'pages'; group: string },
    reading: Reading,
    answerable: boolean,
  ): Promise<void> => {
    const ranked = await rankByMeaning(encoder, reading, { meaning: BY_NEARNESS });
    const [meant, whether] = [semanticFeatures(reading, ranked), yesNoFeatures(reading, ranked)];
    write({
      of: 'answerable',
      from: of,
      group,
      answerable: Number(answerable),
      asksWhether: reading.question.asksWhether,
      features: ANSWERABILITY_FEATURES.map((name) => meant[name]),
      whether: YES_NO_FEATURES.map((name) => whether[name]),
    });
  };
  write({
    sentence: MEANING_FEATURES,
    answerable: ANSWERABILITY_FEATURES,
    whether: YES_NO_FEATURES,
  });
  const graded = records<GradedQuestion>('relevance', 'open-dev.jsonl');
  for (const { id, question, answerable, sentences, titles, grades } of graded) {
    const sources = sentences.map((text, at) => ({
      id: `${at}`,
      title: titles[at] ?? '',
      sentences: [text],
    }));
    const reading = readIndexed(readQuestion(question), indexSources(sources));
    for (const { sentence, meaning } of await rankByMeaning(encoder, reading)) {
      if (meaning === undefined) continue;
      const features = meaningFeatures(meaning, sentences[sentence] ?? '');
      const values = MEANING_FEATURES.map((name) => features[name]);
      write({ of: 'sentence', group: id, grade: grades[sentence], features: values });
    }
    await writeAnswerable({ of: 'graded', group: id }, reading, answerable);
  }
  for (const { group, question, collection, answerable } of putQuestions())
    await writeAnswerable({ of: 'pages', group }, readIndexed(question, collection), answerable);
}

/** What tells a claim that its page supports from one that it does not. */
function bearingExamples(): void {
  write({ features: SUPPORT_FEATURES });
  for (const record of wiceRecords()) {
    const { id, claim, evidence, label } = record;
    const features = supportFeatures(claim, [indexPassage(evidence.join('\n'))]);
    write({
      id,
      // Claims of one page share what is hard about it; a page without a title is nobody else's.
      group: pageOf(record).title.trim() || id,
      borne: Number(label === 'supported'),
      features: SUPPORT_FEATURES.map((feature) => rounded(features[feature])),
    });
  }
}

/** A question put to a collection. */
interface PutQuestion {
  group: string;
  question: Question;
  collection: Collection;
  answerable: boolean;
}

function questionsOn(claim: string): Question[] {
  const parts = claim.split(/[,;]/).filter((part) => part.split(' ').length >= SHORTEST_PART);
  const clozes = ASKED_FOR.flatMap((kind): Question[] => {
    const asked = answerCandidates(claim, kind).find(({ start }) => start > 0);
    if (asked === undefined) return [];
    const rest = `${claim.slice(0, asked.start)} , ${claim.slice(asked.start + asked.text.length)}`;
    return [{ ...readQuestion(rest), kind }];
  });
  return [readQuestion(claim), ...clozes, ...parts.slice(0, parts.length > 1 ? 1 : 0).map(readQuestion)];
}

function putQuestions(): PutQuestion[] {
  const pages = new Map(wiceRecords().map((record) => [record.evidence.join('\n'), record] as const));
  const records = [...pages.values()].filter(({ evidence }) => evidence.length > 0);
  const halves = [0, 1].map((half) => records.filter((_record, at) => at % 2 === half));
  const collections = halves.map((half) =>
    indexSources(
      half.map((record) => {
        const page = pageOf(record);
        return { ...page, sentences: page.sentences.slice(0, MOST_SENTENCES) };
      }),
    ),
  );
  return halves.flatMap((half, own) =>
    half
      .filter(({ label }) => label !== 'not_supported')
      .flatMap(({ id, claim }) =>
        questionsOn(claim).flatMap((question) =>
          collections.map((collection, at) => ({
            group: id,
            question,
            collection,
            answerable: at === own,
          })),
        ),
      ),
  );
}

function records<Record>(...path: string[]): Record[] {
  return readRecords<Record>(readFileSync(join(data, ...path), 'utf8'));
}

function wiceRecords(): WiceRecord[] {
  return records('attribution', 'wice-dev.jsonl');
}

function write(line: object): boolean {
  return out.write(`${JSON.stringify(line)}\n`);
}

function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

void main();
