import { briefTexts } from '../../../texts/brief';
import type { SectionDraft } from '../../../contracts/report/draft';
import { inert } from '../../../core/writing/quotation';
import { CHOICE } from '../../../reading/choose-sentences';
import {
  draftOfParagraphs,
  piecesOf,
  overviewMaterial,
  type OverviewInput,
  type OverviewMaterial,
  type Piece,
  pieceOf,
  pointsWithin,
  type Point,
  toldPiece,
} from './overview-material';
import { terms } from '../../../language/words';

/** How the words are parted among what answers, what the other subtopics add, and what is disputed. */
const SHARES = { answers: 0.4, further: 0.38 };
const MOST = { answers: 4, further: 4, disputes: 3 };
/** What is told in two paragraphs beside the answer where nothing is disputed. */
const SPLIT_FROM = 4;

/** What answers the question first, then what the subtopics that are not heard yet add to it, then where the sources disagree. */
export function tellSummary(input: OverviewInput): SectionDraft {
  const material = overviewMaterial(input);
  const { worthTelling, isAnswered } = material;
  const taken = new Set<string>();
  const disputes = disputed(material, input.words * (1 - SHARES.answers - SHARES.further), taken);
  const left = input.words - wordsOf(disputes);
  // What covers far less of the question than the best is of something beside it.
  const near = worthTelling.filter(({ coverage }) => coverage >= CHOICE.nearBest);
  const answers = pointsWithin(
    near.length > 0 ? near : worthTelling,
    (left * SHARES.answers) / (SHARES.answers + SHARES.further),
    {
      taken,
      mostOfSubtopic: 2,
      most: MOST.answers,
    },
  );
  const heard = new Set(answers.map(({ statement }) => statement.subtopicId));
  const others = worthTelling.filter(({ statement }) => !heard.has(statement.subtopicId));
  const rest = left - answers.reduce((sum, { words }) => sum + words, 0);
  const further = pointsWithin(others, rest, { taken, mostOfSubtopic: 1, most: MOST.further });
  const threads = inThreads(further, disputes.length === 0 && further.length >= SPLIT_FROM ? 2 : 1);
  return draftOfParagraphs([
    piecesOf(answers, input.titles, isAnswered ? [] : [() => briefTexts.noAnswer]),
    ...threads.map((thread) => piecesOf(thread, input.titles)),
    disputes,
  ]);
}

/** Conflicts of which both sides are told shortly, those that answer the question best first. */
function disputed({ points, against }: OverviewMaterial, words: number, taken: Set<string>): Piece[] {
  const told: Piece[] = [];
  let left = words;
  const pointOf = new Map(points.map((point) => [point.statement.id, point]));
  const best = against
    .flatMap(({ conflict, sides }) => {
      const views = sides.map((side) => side.flatMap(({ id }) => pointOf.get(id) ?? [])[0]);
      const heard = views.filter((view) => view !== undefined);
      return heard.length < 2 ? [] : [{ topic: conflict.topic, views: heard.slice(0, 2) }];
    })
    .sort(
      (a, b) => Math.max(...b.views.map((one) => one.answer)) - Math.max(...a.views.map((one) => one.answer)),
    );
  let disputes = 0;
  for (const { topic, views } of best) {
    const cost = views.reduce((sum, one) => sum + one.words, 0);
    if (disputes >= MOST.disputes || (cost > left && disputes > 0)) continue;
    if (views.some(({ statement }) => taken.has(statement.id))) continue;
    disputes += 1;
    left -= cost;
    for (const [at, view] of views.entries()) {
      taken.add(view.statement.id);
      told.push(pieceOf(view, [() => (at === 0 ? briefTexts.disagree(inert(topic)) : briefTexts.against)]));
    }
  }
  return told;
}

/** In every language a summary has the same statements: there are words for those that there are for in English. */
function wordsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + toldPiece(piece).split(/\s+/).length, 0);
}

/** Points so that each stands behind the one with which it shares most of its words, in `paragraphs` parted where least is shared. */
function inThreads(points: readonly Point[], paragraphs: 1 | 2): Point[][] {
  const [first, ...others] = points;
  if (first === undefined) return [];
  const words = new Map(points.map((point) => [point, new Set(terms(point.statement.finding.claim))]));
  const nearness = (one: Point, other: Point): number => {
    const [own, its] = [words.get(one) ?? new Set(), words.get(other) ?? new Set()];
    const shared = [...own].filter((word) => its.has(word)).length;
    return shared / Math.max(1, Math.min(own.size, its.size));
  };
  const thread = [first];
  const left = new Set(others);
  for (let last = first; left.size > 0;) {
    last = [...left].reduce((best, one) => (nearness(last, one) > nearness(last, best) ? one : best));
    thread.push(last);
    left.delete(last);
  }
  if (paragraphs === 1) return [thread];
  // A paragraph of one statement has no thread.
  const cuts = thread
    .slice(2, -1)
    .map((point, at) => ({ at: at + 2, nearness: nearness(thread[at + 1] ?? point, point) }));
  const [{ at } = { at: thread.length }] = cuts.sort((a, b) => a.nearness - b.nearness || a.at - b.at);
  return [thread.slice(0, at), thread.slice(at)].filter((part) => part.length > 0);
}
