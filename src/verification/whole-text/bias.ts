import { greatest, least } from '../../core/values/extremes';
import type { DimensionScore } from '../../contracts/judge/judgement';
import { largestShare, tally } from '../../core/judge/diversity';
import { percent, scoreOf, weightedMean } from '../../core/judge/score-of';
import { count } from '../../core/writing/count';
import { terms } from '../../language/words';
import { directionsTold, leaningAway } from '../../reading/whole-text/directions-told';
import type { PlacedSentence, PreparedDocument } from './prepared-document';

/** A side of which less is told is not told. */
const TOLD = 0.5;
/** Sides need not have the same room: from this share of the larger one on they are even. */
const EVEN = 0.5;
/** A text that leans so far from its material, or to one source so much more than that does, has nothing left for it. */
const ONE_SIDED = 0.4;
/** In a small text one source may have so much. */
const FAIR_SHARE = 0.3;

interface Side {
  text: string;
  sourceIds: string[];
}

/**
 * Whether each side of a disagreement is told with its citation, in like room; whether results go the same ways as in the
 * material; and whether one source has more of the word than it has there.
 */
export function bias(prepared: PreparedDocument): DimensionScore {
  const { document, sentences, sourceOf } = prepared;
  const statements = document.topics.flatMap((topic) => topic.statements);
  const balances = document.conflicts.map(({ viewpoints }) => balanceOf(viewpoints, prepared));
  const leaning = leaningAway(
    directionsTold(sentences.map(({ plain }) => plain)),
    directionsTold(statements.map(({ text }) => text)),
  );
  const cited = sentences.flatMap(({ cites }) => cites.flatMap((n) => sourceOf.get(n) ?? []));
  const given = tally(statements.flatMap(({ sourceIds }) => sourceIds));
  const dominance = Math.max(0, largestShare(tally(cited)) - Math.max(largestShare(given), FAIR_SHARE));
  const sides =
    balances.length === 0 ? null : balances.reduce((sum, share) => sum + share, 0) / balances.length;
  const share = weightedMean(
    [
      sides === null ? null : { share: sides, weight: 5 },
      leaning === null ? null : { share: 1 - leaning / ONE_SIDED, weight: 3 },
      { share: 1 - dominance / ONE_SIDED, weight: 2 },
    ],
    0,
  );
  const oneSided = document.conflicts.filter((_, at) => (balances[at] ?? 1) < EVEN);
  const told = [
    ...(sides === null
      ? []
      : [`${count(balances.length, 'disagreement')}, ${oneSided.length} of them told from one side`]),
    ...(leaning === null ? [] : [`its results lean ${percent(leaning)} away from those of the material`]),
    `its most cited source has ${percent(largestShare(tally(cited)))} of the citations`,
  ];
  return {
    score: scoreOf(share),
    reason: `${told.join('; ').replace(/^\w/, (letter) => letter.toUpperCase())}.`,
    places: partsThatTell(oneSided, prepared).map((partId) => ({ partId, quote: null })),
  };
}

/** 0 where a side is not told, else how even their rooms are, from a half to 1. */
function balanceOf(sides: readonly Side[], prepared: PreparedDocument): number {
  const rooms = sides.map((side) => {
    const own = citing(side, prepared);
    const told = own.some(({ stems }) => isTold(side, sides, stems, prepared));
    return told ? own.reduce((sum, { plain }) => sum + plain.length, 0) : 0;
  });
  const smallest = least(rooms);
  return smallest === 0 ? 0 : 0.5 + 0.5 * Math.min(1, smallest / (EVEN * greatest(rooms)));
}

function citing({ sourceIds }: Side, { sentences, sourceOf }: PreparedDocument): readonly PlacedSentence[] {
  return sentences.filter(({ cites }) => cites.some((n) => sourceIds.includes(sourceOf.get(n) ?? '')));
}

/** Whether a sentence tells a side: the half of it, and the half of what the other sides do not say. They share most words. */
function isTold(
  side: Side,
  sides: readonly Side[],
  stems: ReadonlySet<string>,
  { weightOf }: PreparedDocument,
): boolean {
  const others = new Set(sides.filter((other) => other !== side).flatMap(({ text }) => terms(text)));
  const own = [...new Set(terms(side.text))];
  const apart = own.filter((stem) => !others.has(stem));
  const shareOf = (wanted: readonly string[]): number => {
    const weigh = (list: readonly string[]): number => list.reduce((sum, stem) => sum + weightOf(stem), 0);
    return wanted.length === 0 ? 1 : weigh(wanted.filter((stem) => stems.has(stem))) / weigh(wanted);
  };
  return shareOf(own) >= TOLD && shareOf(apart) >= TOLD;
}

/** The parts that tell one side of a disagreement, and those whose topics say the other. */
function partsThatTell(conflicts: readonly { viewpoints: Side[] }[], prepared: PreparedDocument): string[] {
  const parts = conflicts.flatMap(({ viewpoints }) =>
    viewpoints.flatMap((side) => {
      const telling = citing(side, prepared).find(({ stems }) => isTold(side, viewpoints, stems, prepared));
      if (telling !== undefined) return [telling.partId];
      return prepared.document.topics
        .filter(({ statements }) => statements.some(({ text }) => text === side.text))
        .map(({ id }) => id);
    }),
  );
  return [...new Set(parts)];
}
