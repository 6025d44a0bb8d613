import type { SectionDraft } from '../../../contracts/report/draft';
import type { Conflict, Finding } from '../../../contracts/report/finding';
import { confidenceWord } from '../../../core/evidence/confidence';
import { shorten } from '../../../core/writing/shorten';
import { leansOnBefore } from '../../../language/leaning';
import { resultScore } from '../../../reading/features/result-score';
import { type BriefStatement } from './brief-statements';
import { citedSentence, wordsBetweenSpaces } from './cited-sentence';
import { type Disagreement, disagreements } from './disagreements';
import { statementValues } from './statement-values';

/** What a summary or conclusions may point at: what the subtopics' parts tell. */
export interface OverviewInput {
  question: string;
  /** In the text's order. */
  statements: readonly BriefStatement[];
  /** Of the subtopics, by their ids, in their order. */
  titles: ReadonlyMap<string, string>;
  conflicts: readonly Conflict[];
  words: number;
}

/** A statement on its own, in as few words as it can be told. */
export interface Point {
  statement: BriefStatement;
  text: string;
  words: number;
  /** How well it answers the question, 0–1 and a little. */
  answer: number;
  /** How many sources bear it by its own marks. */
  support: number;
}

export interface OverviewMaterial {
  /** What can stand by itself, best answer first. */
  points: Point[];
  against: Disagreement[];
}

/** A sentence of a summary is read at a glance. */
const POINT_WORDS = 45;
const TOO_LONG = 60;
/** What asserts a result is told before an aim or a method that answers as well. */
const RESULT = { weight: 0.12, most: 3 };

export function overviewMaterial({
  question,
  statements,
  titles,
  conflicts,
}: OverviewInput): OverviewMaterial {
  const values = statementValues(statements, question, titles);
  const points = statements.flatMap((statement): Point[] => {
    const { finding, leansOn } = statement;
    const told = shorten(finding.claim, POINT_WORDS);
    const words = wordsBetweenSpaces(told) + 1;
    if (leansOn !== null || leansOnBefore(finding.claim) || words > TOO_LONG) return [];
    const result = Math.max(-RESULT.most, Math.min(RESULT.most, resultScore(finding.claim)));
    const answer = (values.get(statement.id)?.answer ?? 0) + (RESULT.weight * result) / RESULT.most;
    const text = citedSentence(told, finding.citations);
    return [{ statement, text, words, answer, support: supportOf(finding) }];
  });
  points.sort((a, b) => b.answer - a.answer || a.statement.at - b.statement.at);
  return { points, against: disagreements(conflicts, statements) };
}

/**
 * Only agreement makes a statement as sure as that: what has its marks from its neighbours, or from all of its subtopic, is not
 * said by each of the sources that it cites.
 */
function supportOf({ confidence, citations }: Finding): number {
  return confidenceWord(confidence) === 'High' ? citations.length : 1;
}

/** The points that there are words for, in their order; none of `taken`, and of a subtopic at most so many. */
export function pointsWithin(
  points: readonly Point[],
  words: number,
  { taken, mostOfSubtopic, most }: { taken: Set<string>; mostOfSubtopic: number; most: number },
): Point[] {
  const chosen: Point[] = [];
  const perSubtopic = new Map<string, number>();
  let left = words;
  for (const point of points) {
    const { id, subtopicId } = point.statement;
    const told = perSubtopic.get(subtopicId) ?? 0;
    const isFirst = chosen.length === 0;
    if (chosen.length >= most || taken.has(id) || told >= mostOfSubtopic) continue;
    if (point.words > left && !isFirst) continue;
    chosen.push(point);
    taken.add(id);
    perSubtopic.set(subtopicId, told + 1);
    left -= point.words;
  }
  return chosen;
}

/** Paragraphs of pieces of text, each with the claim that it is, if any. */
export function draftOfParagraphs(paragraphs: readonly (readonly Piece[])[]): SectionDraft {
  const told = paragraphs.filter((pieces) => pieces.length > 0);
  return {
    markdown: told.map((pieces) => pieces.map(({ lead, text }) => `${lead}${text}`).join(' ')).join('\n\n'),
    claims: told
      .flat()
      .flatMap(({ text, findingIds }) => (findingIds.length === 0 ? [] : [{ text, findingIds }])),
  };
}

export interface Piece {
  /** What connects it with what stands before. */
  lead: string;
  text: string;
  /** None of a sentence that states nothing by itself. */
  findingIds: string[];
}

export function pieceOf({ text, statement }: Point, lead = ''): Piece {
  return { lead, text, findingIds: [statement.id] };
}
