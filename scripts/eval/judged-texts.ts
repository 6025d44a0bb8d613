// What is judged, as many texts as are wanted: briefs of sources, reports on their subjects, briefs whose subtopics disagree.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Conflict, GivenBrief, Material, Subtopic } from './briefs';
import { oneOf, present, seededRandom, shuffled } from './seeded-draw';
import * as product from './product';
import { bestFirst, bm25Over, extractiveStep } from './ranking';
import { readRecords, UsageError } from './records';
import { openReportRunner } from './report-runner';
import { STUDY_TOPICS } from './study-subtopics';
import { Disputed, NO_ANSWER } from './suites/conflicts';
import { briefText, reportText, type Text } from './judged-text';
import { wordsIn } from './texts';

export type JudgedTexts = (file: string, many: number, seed: number) => AsyncGenerator<Text & { id: number }>;

const FEWEST_WORDS = 6;

/** Whole sentences of a text that a summary can cite: of some length, and without brackets of their own. */
function citableSentences(text: string): string[] {
  return product
    .splitSentences(text)
    .map((sentence) => sentence.text)
    .filter(
      (sentence) => wordsIn(sentence) >= FEWEST_WORDS && /[^.]\.$/.test(sentence) && !sentence.includes('['),
    );
}

interface NamedSource {
  id: string;
  title: string;
  content: string;
}

/** Briefs without a model on subtopics drawn from sources. */
export const briefTexts: JudgedTexts = async function* (file, many, seed) {
  const sources: NamedSource[] = [];
  for await (const reading of product.readSources([file])) {
    if (!reading.ok) throw new UsageError(`${reading.problem.file}: ${reading.problem.message}.`);
    sources.push(reading.record);
  }
  for (let at = 0; at < many; at += 1) {
    const id = seed * 1000 + at;
    yield { id, ...(await briefText(await drawnSubtopics(sources, id), id)) };
  }
};

const SUBTOPICS = 6;
const SOURCES_OF_SUBTOPIC = 5;
const FEWEST_SOURCES_OF_SUBTOPIC = 4;
const STATEMENTS_OF_SOURCE = 8;
/** A source is compared with others by how it begins. */
const OPENING_CHARS = 2_000;

/**
 * What a brief might be asked to bring together: sources near to each other are a subtopic, under the title of the first that was
 * drawn, its summary in their own sentences. The same for the same seed.
 */
async function drawnSubtopics(sources: readonly NamedSource[], seed: number): Promise<GivenBrief> {
  const random = seededRandom(seed * 7919 + 1);
  const index = bm25Over(sources.map(({ title, content }) => `${title}\n${content.slice(0, OPENING_CHARS)}`));
  const left = new Set(sources.keys());
  const wanted = Math.min(SUBTOPICS, Math.floor(sources.length / FEWEST_SOURCES_OF_SUBTOPIC));
  const size = Math.min(SOURCES_OF_SUBTOPIC, Math.floor(sources.length / wanted));
  const subtopics: Subtopic[] = [];
  while (subtopics.length < wanted && left.size > 0) {
    const drawn = oneOf([...left], random);
    const { title } = present(sources[drawn]);
    const near = bestFirst(index.of(title)).filter((at) => left.has(at) && at !== drawn);
    const own = [drawn, ...near].slice(0, size);
    own.forEach((at) => left.delete(at));
    const cited = own.map((at) => present(sources[at]));
    subtopics.push({ title, summary: await summaryOf(title, cited), sources: cited });
  }
  return { question: subtopics.map(({ title }) => title).join('; '), subtopics };
}

async function summaryOf(question: string, cited: readonly NamedSource[]): Promise<string> {
  const paragraphs: string[] = [];
  for (const [at, { id, title, content }] of cited.entries()) {
    const passages = [{ start: 0, end: content.length, text: content, headings: [] }];
    const asked = { question, sources: [{ sourceId: id, title, passages }] };
    const { summaries } = product.SummariseOutput.parse(await extractiveStep('summarise', asked));
    const statements = citableSentences(summaries[0]?.summary ?? '').slice(0, STATEMENTS_OF_SOURCE);
    paragraphs.push(statements.map((text) => `${text.slice(0, -1)} [${at + 1}]${text.slice(-1)}`).join(' '));
  }
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

const SubjectSource = z.looseObject({ id: z.string(), title: z.string(), content: z.string() });
/** As many as somebody gathers on a subject. */
const SOURCES_OF_REPORT = 12;
const MOST_OF_SUBJECT = 5;
const FEWEST_SOURCES = 8;
const FEWEST_SECTIONS = 2;

/**
 * Reports as the engine makes them on the subjects that several titles of the sources share, each of drawn sources. Where too
 * little is found for two sections there is nothing to spoil.
 */
export const reportTexts: JudgedTexts = async function* (file, many, seed) {
  const drawn = drawnSubjects(readRecords(file, SubjectSource), seed);
  if (drawn.length === 0) throw new UsageError(`${file} has too few sources on any of the subjects.`);
  let made = 0;
  for (const [at, { question, own }] of drawn.entries()) {
    if (made === many) return;
    const folder = mkdtempSync(join(tmpdir(), 'colligate-eval-sources-'));
    const sourcesFile = join(folder, 'sources.jsonl');
    writeFileSync(sourcesFile, own.map((source) => JSON.stringify(source)).join('\n'));
    const runner = await openReportRunner(sourcesFile);
    const document = await runner.judged('report', question).finally(async () => {
      await runner.close();
      rmSync(folder, { recursive: true });
    });
    if (document.topics.length < FEWEST_SECTIONS) continue;
    made += 1;
    yield { id: seed * 1000 + at, ...reportText(document) };
  }
};

/** Subject by subject the first draw of each, then further ones of other sources, as far as there are so many. */
function drawnSubjects(
  sources: readonly NamedSource[],
  seed: number,
): { question: string; own: NamedSource[] }[] {
  const random = seededRandom(seed * 7919 + 3);
  const bySubject = STUDY_TOPICS.topics.map(({ title, words }) => ({
    question: `What is known of ${title.toLowerCase()}?`,
    near: shuffled(
      sources.filter((source) => words.some((word) => source.title.toLowerCase().includes(word))),
      random,
    ),
  }));
  return Array.from({ length: MOST_OF_SUBJECT }, (_, round) => round).flatMap((round) =>
    bySubject.flatMap(({ question, near }) => {
      const own = near.slice(round * SOURCES_OF_REPORT, (round + 1) * SOURCES_OF_REPORT);
      return own.length < FEWEST_SOURCES ? [] : [{ question, own }];
    }),
  );
}

const QUESTIONS_OF_BRIEF = 3;
const SOURCES_OF_SIDE = 3;
const STATEMENTS_OF_DOCUMENT = 5;

/**
 * Briefs without a model whose subtopics say contrary things: of each question two answers that documents give to it, a subtopic
 * each, in the documents' own sentences. That they disagree is known from who asked, and not found by words.
 */
export const disputedTexts: JudgedTexts = async function* (file, many, seed) {
  const found = readRecords(file, Disputed).flatMap((record) => disputeOf(record) ?? []);
  const disputes = shuffled(found, seededRandom(seed * 7919 + 5));
  for (let at = 0; at < many; at += 1) {
    const own = disputes.slice(QUESTIONS_OF_BRIEF * at, QUESTIONS_OF_BRIEF * (at + 1));
    if (own.length < QUESTIONS_OF_BRIEF) return;
    const subtopics = own.flatMap(({ subtopics: both }) => both);
    const given = { question: own.map(({ question }) => question).join(' '), subtopics };
    const id = seed * 1000 + at;
    const conflicts = (material: Material): Conflict[] =>
      own.map((dispute, place) => conflictOf(dispute, 2 * place, material));
    yield { id, ...(await briefText(given, id, conflicts)) };
  }
};

interface Dispute {
  id: string;
  question: string;
  answers: string[];
  subtopics: Subtopic[];
}

interface Telling {
  id: string;
  title: string;
  telling: string;
  others: string[];
}

/** Two answers with the documents that say so in a whole sentence; null where there are none. */
function disputeOf({ id, question, documents }: Disputed): Dispute | null {
  const sides = new Map<string, Telling[]>();
  for (const [at, { text, answer }] of documents.entries()) {
    if (answer === NO_ANSWER) continue;
    const sentences = citableSentences(text).map((sentence) => sentence.replace(/\s+/g, ' '));
    const telling = sentences.find((sentence) => sentence.includes(answer));
    if (telling === undefined) continue;
    const others = sentences.filter((sentence) => sentence !== telling).slice(0, STATEMENTS_OF_DOCUMENT - 1);
    const source = { id: `${id}-${at}`, title: `Document ${at + 1} on ${question}`, telling, others };
    sides.set(answer, [...(sides.get(answer) ?? []), source]);
  }
  const both = [...sides].slice(0, 2);
  // Of the same sentence nobody could say which side it is on.
  if (new Set(both.map(([, own]) => own[0]?.telling)).size < 2) return null;
  const answers = both.map(([answer]) => answer);
  return { id, question, answers, subtopics: both.map(([answer, own]) => sideOf(question, answer, own)) };
}

function sideOf(question: string, answer: string, documents: readonly Telling[]): Subtopic {
  const own = documents.slice(0, SOURCES_OF_SIDE);
  const paragraphs = own.map(({ telling, others }, at) =>
    [telling, ...others].map((text) => `${text.slice(0, -1)} [${at + 1}].`).join(' '),
  );
  const sources = own.map(({ id, title }) => ({ id, title, url: `https://example.org/${id}`, content: '' }));
  return { title: `${question} ${answer}`, summary: paragraphs.join('\n\n'), sources };
}

function conflictOf({ id, question, answers }: Dispute, from: number, { subtopics }: Material): Conflict {
  const sides = answers.map((answer, side) =>
    present(subtopics[from + side]).findings.filter(({ claim }) => claim.includes(answer)),
  );
  return {
    id,
    topic: question,
    kind: 'condition',
    resolution: 'present_both',
    reason: 'They answer it differently.',
    viewpoints: sides.map((own) => ({
      statement: present(own[0]).claim,
      citations: [...new Set(own.flatMap(({ citations }) => citations))],
      evidence: own.flatMap(({ evidence }) => evidence),
    })),
    findingIds: sides.flat().map((finding) => finding.id),
  };
}
