import type { SectionDraft } from '../../../contracts/report/draft';
import { inert } from '../../../core/writing/quotation';
import {
  draftOfParagraphs,
  overviewMaterial,
  type OverviewInput,
  type OverviewMaterial,
  type Piece,
  pieceOf,
  pointsWithin,
} from './overview-material';

/** How the words are parted among what answers, what is best supported, and what is disputed. */
const SHARES = { answers: 0.5, supported: 0.28 };
const MOST = { answers: 6, supported: 4, disputes: 3 };
const SEVERAL = 2;

/** The question's answer first, then what several sources bear, then where they disagree. */
export function tellSummary(input: OverviewInput): SectionDraft {
  const material = overviewMaterial(input);
  const taken = new Set<string>();
  const disputes = disputed(material, input.words * (1 - SHARES.answers - SHARES.supported), taken);
  const left = input.words - wordsOf(disputes);
  const answers = pointsWithin(
    material.points,
    (left * SHARES.answers) / (SHARES.answers + SHARES.supported),
    {
      ...{ taken, mostOfSubtopic: 1, most: MOST.answers },
    },
  );
  const rest = left - answers.reduce((sum, { words }) => sum + words, 0);
  const borne = [...material.points]
    .filter(({ support }) => support >= SEVERAL)
    .sort((a, b) => b.support - a.support || b.answer - a.answer);
  const heard = new Set(answers.map(({ statement }) => statement.subtopicId));
  const others = material.points.filter(({ statement }) => !heard.has(statement.subtopicId));
  const limits = { taken, mostOfSubtopic: 1, most: MOST.supported };
  const supported = pointsWithin(borne, rest, limits);
  const further = supported.length > 0 ? supported : pointsWithin(others, rest, limits);
  const lead = supported.length > 0 ? 'More than one source supports each of the following. ' : '';
  return draftOfParagraphs([
    answers.map((point) => pieceOf(point)),
    further.map((point, at) => pieceOf(point, at === 0 ? lead : '')),
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
      told.push(
        pieceOf(view, at === 0 ? `The sources disagree on ${inert(topic)}. ` : 'Against that stands this: '),
      );
    }
  }
  return told;
}

function wordsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { lead, text }) => sum + `${lead}${text}`.split(/\s+/).length, 0);
}
