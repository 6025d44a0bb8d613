import { numbersIn } from '../../../language/numbers';
import { type Collection, indexSources } from '../../../reading/collection/collection';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import { rankSentences } from '../../../reading/rank-sentences';
import type { BriefStatement } from './brief-statements';

/** What a statement is worth to a brief; each 0–1, against the other statements. */
export interface StatementValue {
  /** How well it answers the question. */
  answer: number;
  /** With how well it answers its subtopic, its figures and its sources: what is kept where there is not room for all. */
  keeping: number;
}

/** The question weighs most; figures and a second source come to no more than a place among near equals. */
const WEIGHTS = { question: 0.55, subtopic: 0.25, figures: 0.12, sources: 0.08 };
const MANY_SOURCES = 3;

/** What each statement is worth, by its id. */
export function statementValues(
  statements: readonly BriefStatement[],
  question: string,
  titles: ReadonlyMap<string, string>,
): ReadonlyMap<string, StatementValue> {
  const bySubtopic = [...titles].map(([id, title]) => ({
    ...{ id, title },
    own: statements.filter(({ subtopicId }) => subtopicId === id),
  }));
  const ordered = bySubtopic.flatMap(({ own }) => own);
  const toQuestion = places(indexOf(bySubtopic), question);
  const toSubtopic = bySubtopic.flatMap((subtopic) => places(indexOf([subtopic]), subtopic.title));
  return new Map(
    ordered.map(({ id, finding: { claim, citations } }, at) => {
      const answer = toQuestion[at] ?? 0;
      const keeping =
        WEIGHTS.question * answer +
        WEIGHTS.subtopic * (toSubtopic[at] ?? 0) +
        WEIGHTS.figures * Number(numbersIn(claim).length > 0) +
        (WEIGHTS.sources * Math.min(citations.length, MANY_SOURCES)) / MANY_SOURCES;
      return [id, { answer, keeping }];
    }),
  );
}

function indexOf(
  subtopics: readonly { id: string; title: string; own: readonly BriefStatement[] }[],
): Collection {
  return indexSources(
    subtopics.map(({ id, title, own }) => ({ id, title, sentences: own.map((one) => one.finding.claim) })),
  );
}

/** For each sentence the share of the others that it stands before, in the ranking for a question. */
function places(collection: Collection, question: string): number[] {
  const asked = readQuestion(question);
  const { length } = collection.texts;
  const ranked = rankSentences(readIndexed(asked, collection), { most: length });
  const place = Array.from({ length }, () => 0);
  for (const [rank, { sentence }] of ranked.entries()) place[sentence] = 1 - rank / Math.max(1, length);
  return place;
}
