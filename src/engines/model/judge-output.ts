import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../contracts/budget';
import {
  type DimensionScore,
  JUDGE_DIMENSIONS,
  type JudgedDocument,
  type JudgeDimension,
  type JudgedPlace,
  type JudgeOpinion,
  mapDimensions,
} from '../../contracts/judgement';
import { createQuoteFinder } from '../../evidence/locate-quote';
import { isRecord } from '../../lib/json';
import type { JudgeInput, JudgeOutput } from '../../steps/judge';
import { shortLine } from './grounding';
import {
  type AnswerFormat,
  type AnswerProblem,
  fieldOf,
  halves,
  type ParseResult,
  unreadableAnswer,
} from './model-step';

const MAX_PLACES = 20;

const NO_QUALITY = { level: 'general' as const, reason: '' };

const Place = z.object({ part: z.string(), quote: z.string() });
const Dimension = z.object({ score: z.number(), reason: z.string(), places: z.array(Place) });
const Answer = z.object(mapDimensions(JUDGE_DIMENSIONS, () => Dimension));

/** A missing score becomes the mean of the others, and its reason says so. */
export const judgeAnswer: AnswerFormat<JudgeInput, JudgeOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.judge,
  toOutput: readOpinion,
  smaller: ({ document, settings }, reason) =>
    reason === 'too-long' || reason === 'cut-off'
      ? smallerDocuments(document).map((smaller) => ({ document: smaller, settings }))
      : [],
  merge: (_input, parts) =>
    mergeOpinions(parts.map(({ input, output }) => ({ document: input.document, opinion: output }))),
};

function readOpinion({ document }: JudgeInput, answer: unknown): ParseResult<JudgeOutput> {
  const given = findDimensions(answer);
  if (given.size === 0) return unreadableAnswer('the answer has none of the dimensions', 'answer-incomplete');
  const problems: AnswerProblem[] = [];
  const read = new Map<JudgeDimension, DimensionScore>();
  const findPlaces = createPlaceFinder(document);
  for (const dimension of JUDGE_DIMENSIONS) {
    const score = parseScore(given.get(dimension));
    if (score === null) problems.push(missingScoreProblem(dimension));
    else {
      const reason = reasonOf(given.get(dimension));
      read.set(dimension, { score, reason, places: findPlaces(given.get(dimension)) });
    }
  }
  // The mean of 1 or 2 scores is no opinion on a text.
  if (read.size * 2 < JUDGE_DIMENSIONS.length) return { output: null, problems, warnings: [], parts: 0 };
  return { output: completeOpinion(read), problems, warnings: [], parts: read.size };
}

function completeOpinion(read: ReadonlyMap<JudgeDimension, DimensionScore>): JudgeOpinion {
  const mean = [...read.values()].reduce((sum, { score }) => sum + score, 0) / read.size;
  const missing = {
    score: mean,
    reason: 'The judge gave no score; this is the mean of its others.',
    places: [],
  };
  return { by: 'model', ...mapDimensions(JUDGE_DIMENSIONS, (dimension) => read.get(dimension) ?? missing) };
}

function missingScoreProblem(dimension: JudgeDimension): AnswerProblem {
  return {
    path: `${dimension}.score`,
    message: 'there is no number from 1 to 5',
    code: 'score-missing',
    warning:
      'A judge gave no score from 1 to 5 for a dimension; the mean of its other scores counts instead.',
  };
}

const MAX_REASON_CHARS = 400;
const NO_REASON = 'The judge gave no reason.';
/** `4`, `4.5`, `4,5`, `4/5`, `4 out of 5`, `4 of 5`. */
const WRITTEN_SCORE = /^\s*(\d(?:[.,]\d+)?)\s*(?:(?:\/|out of|of)\s*5(?:\.0)?)?\s*$/;

/** Null outside of 1 to 5: the scale of an 8 is unknown. */
function parseScore(given: unknown): number | null {
  const written = isRecord(given) ? (fieldOf(given, 'score') ?? fieldOf(given, 'rating')) : given;
  const text = typeof written === 'string' ? WRITTEN_SCORE.exec(written)?.[1]?.replace(',', '.') : undefined;
  const score = typeof written === 'number' ? written : text === undefined ? Number.NaN : Number(text);
  return score >= 1 && score <= 5 ? score : null;
}

function reasonOf(given: unknown): string {
  const written = fieldOf(given, 'reason') ?? fieldOf(given, 'explanation');
  const reason = typeof written === 'string' ? shortLine(written, MAX_REASON_CHARS) : '';
  return /\p{L}/u.test(reason) ? reason : NO_REASON;
}

/**
 * Splits the parts, else halves the statements per topic, else splits the paragraphs. Empty if nothing can be split.
 */
function smallerDocuments(document: JudgedDocument): JudgedDocument[] {
  const parts = halves(document.parts);
  if (parts !== null) return parts.map((own, at) => portion(document, own, at === 0));
  const topics = document.topics.map((topic) => ({
    ...topic,
    statements: topic.statements.filter((_, at) => at % 2 === 0),
  }));
  if (topics.some(({ statements }, at) => statements.length < (document.topics[at]?.statements.length ?? 0)))
    return [{ ...document, topics }];
  const [part] = document.parts;
  const paragraphs = part === undefined ? null : halves(part.markdown.split(/\n\s*\n/));
  if (part === undefined || paragraphs === null) return [];
  return paragraphs.map((half) => ({ ...document, parts: [{ ...part, markdown: half.join('\n\n') }] }));
}

function portion(document: JudgedDocument, parts: JudgedDocument['parts'], isFirst: boolean): JudgedDocument {
  const own = new Set(parts.map(({ id }) => id));
  const told = new Set(document.parts.map(({ id }) => id));
  return {
    ...document,
    parts,
    claims: document.claims.filter(({ partId }) => own.has(partId) || (isFirst && !told.has(partId))),
    topics: document.topics.filter(({ id }) => own.has(id) || (isFirst && !told.has(id))),
  };
}

interface PortionOpinion {
  document: JudgedDocument;
  opinion: JudgeOpinion;
}

/** Means weighted by length. `answerFirst` comes from the first portion, which has the text's first sentence. */
function mergeOpinions(portions: readonly PortionOpinion[]): JudgeOpinion {
  const [first] = portions;
  if (first === undefined) throw new Error('There is no opinion to merge.');
  if (portions.length === 1) return first.opinion;
  const { by, answerFirst } = first.opinion;
  return {
    by,
    ...mapDimensions(JUDGE_DIMENSIONS, (dimension) => mergedScore(dimension, portions)),
    answerFirst,
  };
}

function mergedScore(dimension: JudgeDimension, portions: readonly PortionOpinion[]): DimensionScore {
  const lengths = portions.map(({ document }) => Math.max(1, charsOf(document)));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const scores = portions.map(({ opinion }) => opinion[dimension]);
  const score = scores.reduce((sum, own, at) => sum + (own.score * (lengths[at] ?? 0)) / whole, 0);
  const reasons = [...scores].sort((a, b) => a.score - b.score).map(({ reason }) => reason);
  return {
    score: Math.min(5, Math.max(1, score)),
    reason: [...new Set(reasons)].join(' '),
    places: scores.flatMap(({ places }) => places),
  };
}

function charsOf({ parts }: JudgedDocument): number {
  return parts.reduce((sum, { markdown }) => sum + markdown.length, 0);
}

const MAX_NAME_CHARS = 40;
/** Models nest the dimensions up to so many levels. */
const MAX_DEPTH = 2;

/** By name (`Factual Accuracy`, `factual_accuracy`), in a nested object, or in a list of named items. */
function findDimensions(answer: unknown, depth = 0): Map<JudgeDimension, unknown> {
  const found = new Map<JudgeDimension, unknown>();
  if (Array.isArray(answer)) {
    for (const item of answer.filter(isRecord)) {
      const dimension = Object.values(item)
        .map(dimensionNamed)
        .find((name) => name !== undefined);
      if (dimension !== undefined && !found.has(dimension)) found.set(dimension, item);
    }
    return found;
  }
  if (!isRecord(answer)) return found;
  for (const [key, value] of Object.entries(answer)) {
    const dimension = dimensionNamed(key);
    if (dimension !== undefined && !found.has(dimension)) found.set(dimension, value);
  }
  if (found.size > 0 || depth >= MAX_DEPTH) return found;
  return (
    Object.values(answer)
      .map((value) => findDimensions(value, depth + 1))
      .find(({ size }) => size > 0) ?? found
  );
}

function dimensionNamed(written: unknown): JudgeDimension | undefined {
  if (typeof written !== 'string' || written.length > MAX_NAME_CHARS) return undefined;
  const plain = written.toLowerCase().replace(/[^a-z]/g, '');
  return JUDGE_DIMENSIONS.find((dimension) => dimension.toLowerCase() === plain);
}

/** Returns the document's own text for a judge's quote. A quote in no part leaves the part alone; unknown parts go. */
function createPlaceFinder({ parts, topics }: JudgedDocument): (given: unknown) => JudgedPlace[] {
  const finder = createQuoteFinder(
    parts.map(({ id, markdown }) => ({
      sourceId: id,
      title: id,
      quality: NO_QUALITY,
      summaryOnly: false,
      passages: [{ start: 0, end: markdown.length, text: markdown, headings: [] }],
    })),
  );
  const names = new Map(
    [...topics, ...parts].flatMap(({ id, title }) => [
      [partKey(title), id] as const,
      [partKey(id), id] as const,
    ]),
  );
  return (given) => {
    const written = fieldOf(given, 'places');
    const list: unknown[] = Array.isArray(written) ? written : [];
    const places = list.flatMap((place): JudgedPlace[] => {
      const named = isRecord(place) ? (fieldOf(place, 'part') ?? fieldOf(place, 'partId')) : place;
      const part = typeof named === 'string' ? names.get(partKey(named)) : undefined;
      const quote = fieldOf(place, 'quote');
      const located = typeof quote === 'string' ? finder.locate(quote, part) : null;
      if (located !== null) return [{ partId: located.evidence.sourceId, quote: located.evidence.quote }];
      return part === undefined ? [] : [{ partId: part, quote: null }];
    });
    const known = new Set<string>();
    return places
      .filter(({ partId, quote }) => {
        const key = `${partId}\n${quote ?? ''}`;
        return !known.has(key) && known.add(key);
      })
      .slice(0, MAX_PLACES);
  };
}

/** `[subtopic-1]`, `Subtopic-1` and `subtopic 1` are the same part. */
function partKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
