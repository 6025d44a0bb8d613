import { numbersIn } from '../../../language/numbers';
import { centralityWithin } from '../../../reading/collection/centrality';
import { type Collection, indexSources } from '../../../reading/collection/collection';
import { readIndexed } from '../../../reading/features/read-features';
import { resultScore } from '../../../reading/features/result-score';
import { readQuestion } from '../../../reading/question/question';
import { isQuotable } from '../../../reading/quotable';
import { rankedAnew } from '../../../reading/rank-by-meaning';
import { type RankedSentence, rankSentences } from '../../../reading/rank-sentences';
import type { BriefStatement } from './brief-statements';
import type { NearStatements } from './near-statements';

/** What a statement is worth to a brief; each 0–1, against the other statements. */
export interface StatementValue {
  /** How well it answers the question, saying what its sources are about. */
  answer: number;
  /** How well it answers the question and its subtopic, with its figures and its sources: what is kept where there is no room for all. */
  keeping: number;
  /** How much of the question it covers, or how likely it bears on its answer, against what does most. */
  coverage: number;
}

/** Where a sentence stands in the ranking for a question: the share of the others behind it, and what it covers of it. */
interface Ranked {
  place: number;
  coverage: number;
}

/** A broad question shares few words with what answers it: what is told most of a source then says what it came to. */
const ANSWER = { question: 0.35, coverage: 0.35, ofSource: 0.2, ofSubtopic: 0.1 };
const KEEPING = { answer: 0.65, subtopic: 0.2, figures: 0.08, sources: 0.07 };
const MANY_SOURCES = 3;
/** What does not read as a sentence by itself comes behind what does. */
const BROKEN = 0.5;
/** An aim or a method comes behind what asserts something and answers as well, whatever is asked. */
const RESULT = { weight: 0.15, most: 3 };

/** What each statement is worth, by its id; by words alone where nothing is known of what they mean. */
export function statementValues(
  statements: readonly BriefStatement[],
  question: string,
  titles: ReadonlyMap<string, string>,
  near: NearStatements,
): ReadonlyMap<string, StatementValue> {
  const bySubtopic = [...titles].map(([id, title]) => ({
    id,
    title,
    own: statements.filter(({ subtopicId }) => subtopicId === id),
  }));
  const ordered = bySubtopic.flatMap(({ own }) => own);
  const texts = ordered.map(({ finding }) => finding.claim);
  const toQuestion = places(indexOf(bySubtopic), question, near);
  const toSubtopic = bySubtopic.flatMap((subtopic) => places(indexOf([subtopic]), subtopic.title));
  const ofSource = shares(
    centralityWithin(
      texts,
      ordered.map(({ finding, subtopicId }) => `${subtopicId} ${finding.citations.join(' ')}`),
    ),
  );
  const ofSubtopic = shares(
    centralityWithin(
      texts,
      ordered.map(({ subtopicId }) => subtopicId),
    ),
  );
  return new Map(
    ordered.map(({ id, finding: { claim, citations } }, at) => {
      const answer =
        ANSWER.question * (toQuestion[at]?.place ?? 0) +
        ANSWER.coverage * (toQuestion[at]?.coverage ?? 0) +
        ANSWER.ofSource * (ofSource[at] ?? 0) +
        ANSWER.ofSubtopic * (ofSubtopic[at] ?? 0) -
        BROKEN * Number(!isQuotable(claim, '')) +
        RESULT.weight * assertedResult(claim);
      const keeping =
        KEEPING.answer * answer +
        KEEPING.subtopic * (toSubtopic[at]?.place ?? 0) +
        KEEPING.figures * Number(numbersIn(claim).length > 0) +
        (KEEPING.sources * Math.min(citations.length, MANY_SOURCES)) / MANY_SOURCES;
      return [id, { answer, keeping, coverage: toQuestion[at]?.coverage ?? 0 }];
    }),
  );
}

/** −1 for an aim or a method, 0 for whatever asserts something. */
function assertedResult(claim: string): number {
  return Math.max(-RESULT.most, Math.min(0, resultScore(claim))) / RESULT.most;
}

function indexOf(
  subtopics: readonly { id: string; title: string; own: readonly BriefStatement[] }[],
): Collection {
  return indexSources(
    subtopics.map(({ id, title, own }) => ({ id, title, sentences: own.map((one) => one.finding.claim) })),
  );
}

function places(collection: Collection, question: string, near: NearStatements = new Map()): Ranked[] {
  const asked = readQuestion(question);
  const { length } = collection.texts;
  const reading = readIndexed(asked, collection);
  const ranked = rankedAnew(rankSentences(reading, { most: length }), reading, (sentence) =>
    near.get(collection.texts[sentence] ?? ''),
  );
  const coverageOf = ({ coverage, meaning }: RankedSentence): number => meaning?.likely ?? coverage;
  const most = Math.max(...ranked.map(coverageOf), 0) || 1;
  const found = Array.from({ length }, () => ({ place: 0, coverage: 0 }));
  for (const [rank, one] of ranked.entries())
    found[one.sentence] = { place: 1 - rank / length, coverage: coverageOf(one) / most };
  return found;
}

/** For each value the share of the others that are not above it. */
function shares(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = new Map(sorted.map((value, at) => [value, (at + 1) / sorted.length]));
  return values.map((value) => rank.get(value) ?? 0);
}
