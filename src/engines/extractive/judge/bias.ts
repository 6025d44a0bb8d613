import type { DimensionScore } from '../../../contracts/judge/judgement';
import { largestShare, tally } from '../../../core/judge/diversity';
import { percent, scoreOf, weightedMean } from '../../../core/judge/score-of';
import { count } from '../../../core/writing/count';
import { directionsTold, leaningAway } from '../../../reading/whole-text/directions-told';
import type { PreparedDocument } from './prepared-document';

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
    places: partsThatTell(
      oneSided.flatMap(({ viewpoints }) => viewpoints),
      prepared,
    ).map((partId) => ({ partId, quote: null })),
  };
}

/** 0 where a side is not told, else how even their rooms are, from a half to 1. */
function balanceOf(sides: readonly Side[], { finder, sentences, sourceOf }: PreparedDocument): number {
  const rooms = sides.map(({ text, sourceIds }) => {
    const { degree } = finder.find(text);
    const own = sentences.filter(({ cites }) => cites.some((n) => sourceIds.includes(sourceOf.get(n) ?? '')));
    if (degree < TOLD || own.length === 0) return 0;
    return own.reduce((sum, { plain }) => sum + plain.length, 0);
  });
  const [least, most] = [Math.min(...rooms), Math.max(...rooms)];
  return least === 0 ? 0 : 0.5 + 0.5 * Math.min(1, least / (EVEN * most));
}

/** Where a side is told, or else the parts whose topics say it. */
function partsThatTell(sides: readonly Side[], { document, finder, sentences }: PreparedDocument): string[] {
  const parts = sides.flatMap(({ text }) => {
    const { sentence, degree } = finder.find(text);
    if (degree >= TOLD) return sentences[sentence]?.partId ?? [];
    return document.topics
      .filter(({ statements }) => statements.some((statement) => statement.text === text))
      .map(({ id }) => id);
  });
  return [...new Set(parts)];
}
