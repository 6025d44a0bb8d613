// Writes what the reader is trained on, one question a line: `{ set, group, effect, features, labels }`, the features as the
// product computes them. `npx tsx training/reader-examples.ts DATA OUT`; DATA has studies/ and attribution/.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerCandidates, type AnswerKind } from '../src/language/answer-candidates';
import { tokensOf } from '../src/language/tokens';
import { STOP_WORDS } from '../src/language/words';
import { indexSources, type Collection } from '../src/reading/collection/collection';
import { columnsOf, FEATURES, featuresOf } from '../src/reading/features/features';
import { readQuestion, type Question } from '../src/reading/question/question';
import { sentencesOfSource } from '../src/reading/collection/read-source';
import { readIndexed } from '../src/reading/features/read-features';
import { plainQuestion, type StudyQuestion } from './plain-question';
import { pageOf, readRecords, type WiceRecord } from './wice';

interface Article {
  id: string;
  title: string;
  content: string;
}

const [data = '../shared/data', target = 'reader-examples.jsonl'] = process.argv.slice(2);
const out = createWriteStream(target);
/** Of one kind so many stretches of a claim are asked for at most. */
const MOST_CLOZES = 2;

function records<Record>(...path: string[]): Record[] {
  return readRecords<Record>(readFileSync(join(data, ...path), 'utf8'));
}

function write(
  set: string,
  group: string,
  question: Question,
  collection: Collection,
  labels: boolean[],
): void {
  const reading = readIndexed(question, collection);
  const columns = columnsOf(question, reading.weights);
  const features = collection.texts.map((_text, sentence) =>
    Array.from(featuresOf(reading, columns, sentence), (value) => Math.round(value * 1e5) / 1e5),
  );
  out.write(
    `${JSON.stringify({ set, group, effect: question.asksForEffect, features, labels: labels.map(Number) })}\n`,
  );
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
    write('studies', article.id, readQuestion(plainQuestion(question)), indexSources([source]), labels);
  }
}

/** Claims of an encyclopedia over the pages that they cite; and with a date, an amount or a name of them asked for. */
function wice(): void {
  for (const record of records<WiceRecord>('attribution', 'wice-dev.jsonl')) {
    const { id, claim, evidence, label, supporting_sentences } = record;
    if (label === 'not_supported') continue;
    const page = indexSources([pageOf(record)]);
    const supporting = new Set(supporting_sentences.flat());
    const labels = evidence.map((_sentence, at) => supporting.has(at));
    write('wice', id, readQuestion(claim.replace(/\.$/, '')), page, labels);
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
        write('cloze', id, { ...readQuestion(rest), kind }, page, asked);
    }
  }
}

out.write(`${JSON.stringify({ features: FEATURES })}\n`);
studies();
wice();
out.end();
