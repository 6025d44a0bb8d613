import { answerTexts } from '../../../texts/answer';
import type { Encoder } from '../../../encoder/encoder';
import { estimateTokens } from '../../../core/budget/call-estimates';
import { inert, quotation } from '../../../core/writing/quotation';
import { numbersIn } from '../../../language/numbers';
import { tokensOf } from '../../../language/tokens';
import { CHOICE, nearBestAmong } from '../../../reading/choose-sentences';
import { answeredFrom } from '../../../reading/collection/answerable';
import { type Reading, weightedShare } from '../../../reading/features/features';
import { readIndexed } from '../../../reading/features/features';
import { readQuestion } from '../../../reading/question/question';
import { rankByMeaning } from '../../../reading/rank-by-meaning';
import type { RankedSentence } from '../../../reading/rank-sentences';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { type AnswerClaim, chooseClaims } from './answer-claims';
import { type AnswerMaterial, readPassages } from './answer-material';
import { writeAnswer } from './write-answer';

const MOST_SENTENCES = 5;

/**
 * Answers with at most five sentences of the passages, word for word, best first. If none is likely to answer, `missing` says so and
 * names the nearest document.
 */
export async function answerExtractively(
  input: AnswerInput,
  encoder: Encoder | null = null,
): Promise<AnswerOutput> {
  const { question, passages, counts } = input;
  const asked = readQuestion(question);
  const material = readPassages(passages);
  const reading = readIndexed(asked, material.collection, counts);
  const ranked = await rankByMeaning(encoder, reading);
  const named = sentencesOfNamed(ranked, reading, material);
  const isAnswered = named[0] !== undefined && input.answerable >= answeredFrom(asked, named[0]);
  const limits = {
    ...CHOICE,
    most: MOST_SENTENCES,
    inTurns: !asked.asksForEffect,
    nearBest: nearBestAmong(counts.sentences, asked),
  };
  const ordered = asked.kind === 'number' ? figuresFirst(named, material) : named;
  const claims = isAnswered ? chooseClaims(ordered, material, { ...limits, question }) : [];
  const sourceOf = new Map(passages.map((passage) => [passage.id, passage]));
  const write = (kept: readonly AnswerClaim[]): ReturnType<typeof writeAnswer> =>
    writeAnswer(kept, asked, (id) => sourceOf.get(id ?? ''));
  const kept = withinTokens(claims, input.maxTokens, (some) => write(some).markdown);
  if (kept.length > 0) return { ...write(kept), uncited: [], missing: null, setAside: [] };
  const nearest = ranked[0] === undefined ? undefined : material.sentences[ranked[0].sentence]?.source;
  const title =
    nearest === undefined ? null : nearest.title === '' ? inert(nearest.document) : quotation(nearest.title);
  return {
    markdown: '',
    sentences: [],
    uncited: [],
    missing: answerTexts.notAnswered(title),
    setAside: [],
  };
}

function figuresFirst(ranked: readonly RankedSentence[], { collection }: AnswerMaterial): RankedSentence[] {
  const hasFigure = ({ sentence }: RankedSentence): boolean =>
    numbersIn(collection.texts[sentence] ?? '').some(({ isDate }) => !isDate);
  return [...ranked.filter(hasFigure), ...ranked.filter((one) => !hasFigure(one))];
}

function withinTokens(
  claims: readonly AnswerClaim[],
  maxTokens: number,
  write: (claims: readonly AnswerClaim[]) => string,
): AnswerClaim[] {
  const kept: AnswerClaim[] = [];
  for (const claim of claims)
    if (estimateTokens(write([...kept, claim]).length) <= maxTokens) kept.push(claim);
  return kept;
}

/** Names that weigh so much of the question are what it is about: “the median age in Riceville”. */
const ABOUT_NAMES = 0.4;
/** What names less of them than this share, or than this share of the one that names most, is of something else. */
const LEAST_NAMED = 0.5;
const NEAR_MOST = 0.8;
const NEIGHBOURS = 2;
const QUOTED = /["“]([^"“”]+)["”]/g;

/**
 * The sentences that are of what the question names, in their order: a title in quotation marks stands as it is written, the
 * names that it is about stand for the most part, in the sentence, beside it or in its document's title. None where none is.
 */
function sentencesOfNamed(
  ranked: readonly RankedSentence[],
  reading: Reading,
  material: AnswerMaterial,
): RankedSentence[] {
  const quoted = [...reading.question.text.matchAll(QUOTED)].map(([, title = '']) => spaced(title));
  const titled = ranked.filter(({ sentence }) => {
    const around = quoted.length === 0 ? '' : contextOf(sentence, material);
    return quoted.every((title) => around.includes(title));
  });
  const columns = columnsOfNames(reading);
  if (columns.length === 0) return titled;
  const { matches, union, weights } = reading;
  const named = titled.map(({ sentence }) =>
    weightedShare(union, sentence * matches.columns, weights, columns),
  );
  const least = Math.max(LEAST_NAMED, NEAR_MOST * Math.max(0, ...named));
  return titled.filter((_sentence, at) => (named[at] ?? 0) >= least);
}

function columnsOfNames({ question, weights, whole }: Reading): number[] {
  const columns = question.names.map((name) => question.words.indexOf(name));
  const weight = columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0);
  // A study names its treatment in the title and tells of it as a group's.
  return !question.asksForEffect && weight >= ABOUT_NAMES * whole ? columns : [];
}

function contextOf(sentence: number, { collection, sentences }: AnswerMaterial): string {
  const { from = 0, to = 0 } = collection.sources[collection.sourceOf[sentence] ?? 0] ?? {};
  const near = collection.texts.slice(
    Math.max(from, sentence - NEIGHBOURS),
    Math.min(to, sentence + NEIGHBOURS + 1),
  );
  return [sentences[sentence]?.source.title ?? '', ...near].map(spaced).join('');
}

function spaced(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}
