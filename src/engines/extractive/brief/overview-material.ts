import { briefTexts } from '../../../texts/brief';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { Conflict, Finding } from '../../../contracts/report/finding';
import { confidenceWord } from '../../../core/evidence/confidence';
import { inert } from '../../../core/writing/quotation';
import { groupedBy } from '../../../core/values/grouped-by';
import { shorten } from '../../../core/writing/shorten';
import { withinSentence } from '../../../core/writing/within-sentence';
import { pointsBefore } from '../../../language/leaning';
import { numbersIn } from '../../../language/numbers';
import { readQuestion } from '../../../reading/question/question';
import { isQuotable } from '../../../reading/quotable';
import { asksForOneFact } from '../answers/is-answered';
import { type BriefStatement } from './brief-statements';
import { citedSentence, wordsBetweenSpaces } from './cited-sentence';
import { type Disagreement, disagreements } from './disagreements';
import type { NearStatements } from './near-statements';
import { statementValues } from './statement-values';
import { statementsAnswer } from './statements-answer';

/** What a summary or conclusions may point at: what the subtopics' parts tell. */
export interface OverviewInput {
  question: string;
  /** In the text's order. */
  statements: readonly BriefStatement[];
  /** Of the subtopics, by their ids, in their order. */
  titles: ReadonlyMap<string, string>;
  /** How many sources stand behind each subtopic, by its id. */
  sources: ReadonlyMap<string, number>;
  conflicts: readonly Conflict[];
  near: NearStatements;
  words: number;
}

/** A statement on its own, in as few words as it can be told. */
export interface Point {
  statement: BriefStatement;
  text: string;
  words: number;
  /** How well it answers the question, 0–1 and a little. */
  answer: number;
  /** How much of the question it covers, against what covers most, 0–1. */
  coverage: number;
  /** How many sources bear it by its own marks. */
  support: number;
}

export interface OverviewMaterial {
  /** What can stand by itself, best answer first. */
  points: Point[];
  /** Those of them that answer well, by themselves or for their subtopic. */
  worthTelling: Point[];
  against: Disagreement[];
  /** Whether one of them answers the question by itself. */
  isAnswered: boolean;
}

/** A sentence of a summary is read at a glance. */
const POINT_WORDS = 45;
const TOO_LONG = 60;
/** A detail has many figures; what concludes or compares has few. */
const DETAIL = 0.05;
const MOST_FIGURES = 6;
/** A sentence with more left out reads badly. */
const MOST_GAPS = 1;

export function overviewMaterial({
  question,
  statements,
  titles,
  conflicts,
  near,
}: OverviewInput): OverviewMaterial {
  const values = statementValues(statements, question, titles, near);
  // Of a single fact the figure is the answer.
  const perFigure = asksForOneFact(readQuestion(question)) ? 0 : DETAIL;
  const points = statements.flatMap((statement): Point[] => {
    const { finding, leansOn } = statement;
    const told = shorten(finding.claim, POINT_WORDS);
    const words = wordsBetweenSpaces(told) + 1;
    const stands = leansOn === null && !pointsBefore(finding.claim) && isQuotable(finding.claim, '');
    if (!stands || words > TOO_LONG || told.split('…').length > MOST_GAPS + 1) return [];
    const { answer = 0, coverage = 0 } = values.get(statement.id) ?? {};
    const text = citedSentence(told, finding.citations);
    const detail = perFigure * Math.min(MOST_FIGURES, numbersIn(finding.claim).length);
    return [{ statement, text, words, answer: answer - detail, coverage, support: supportOf(finding) }];
  });
  points.sort((a, b) => b.answer - a.answer || a.statement.at - b.statement.at);
  return {
    points,
    worthTelling: worthTelling(points),
    against: disagreements(conflicts, statements),
    isAnswered: statementsAnswer(
      points.map(({ statement }) => statement.finding.claim),
      question,
      near,
    ),
  };
}

/** The better half, and the best of each subtopic. */
function worthTelling(points: readonly Point[]): Point[] {
  const heard = new Set<string>();
  return points.filter(({ statement: { subtopicId } }, at) => {
    const isBest = !heard.has(subtopicId);
    heard.add(subtopicId);
    return isBest || at < points.length / 2;
  });
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
    markdown: told.map((pieces) => pieces.map((piece) => toldPiece(piece)).join(' ')).join('\n\n'),
    claims: told
      .flat()
      .flatMap(({ text, findingIds }) => (findingIds.length === 0 ? [] : [{ text, findingIds }])),
  };
}

/** What a brief says itself, in any language: what is chosen does not depend on which it is. */
export type OwnWords = () => string;

export interface Piece {
  /** What connects it with what stands before, or stands by itself. */
  lead: readonly OwnWords[];
  /** Empty where it states nothing. */
  text: string;
  findingIds: string[];
}

export function pieceOf({ text, statement }: Point, lead: readonly OwnWords[] = []): Piece {
  return { lead, text, findingIds: [statement.id] };
}

export function toldPiece({ lead, text }: Piece): string {
  return [...lead.map((own) => own()), ...(text === '' ? [] : [text])].join(' ');
}

/** Points one after another, each subtopic's together, said once of which subtopic they are; `lead` opens the first. */
export function piecesOf(
  points: readonly Point[],
  titles: ReadonlyMap<string, string>,
  lead: readonly OwnWords[] = [],
): Piece[] {
  const together = [...groupedBy(points, ({ statement }) => statement.subtopicId).values()];
  return together.flatMap((own, group) =>
    own.map((point, at) => {
      const subtopic = at === 0 ? onSubtopic(point, titles) : [];
      return pieceOf(point, [...(group === 0 && at === 0 ? lead : []), ...subtopic]);
    }),
  );
}

const LONGEST_PHRASE = 8;

/** `On older adults: `, where there are several subtopics and the title is a phrase; a statement is understood by what it is of. */
function onSubtopic({ statement }: Point, titles: ReadonlyMap<string, string>): OwnWords[] {
  const title = titles.get(statement.subtopicId) ?? '';
  const isPhrase = /^\p{L}[^:?!.;“”"]*$/u.test(title) && title.split(' ').length <= LONGEST_PHRASE;
  if (titles.size <= 1 || !isPhrase) return [];
  return [() => briefTexts.onSubtopic(inert(withinSentence(title)))];
}
