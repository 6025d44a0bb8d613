import type { DimensionScore } from '../../contracts/judge/judgement';
import { effectiveNumber, kindsInDraws, tally } from '../../core/judge/diversity';
import { scoreOf, weightedMean } from '../../core/judge/score-of';
import { count } from '../../core/writing/count';
import type { PreparedDocument } from './prepared-document';

/** A citation of a text that is written as long as wanted takes about so many words. */
const WORDS_OF_CITATION = 30;
/** A topic of whose sources less than this share is used is named. */
const NEGLECTED = 0.5;

/**
 * How many of the sources, and of the sites they are of, the text uses, held against what as many citations drawn from the
 * material would come to; how evenly; and whether every side of a disagreement is cited.
 */
export function coverage(prepared: PreparedDocument): DimensionScore {
  const { document, parts, sourceOf } = prepared;
  const cited = parts.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ sentences }) =>
      sentences.flatMap(({ cites }) => cites.flatMap((n) => sourceOf.get(n) ?? [])),
    ),
  );
  const material = document.topics.flatMap(({ statements }) =>
    statements.flatMap(({ sourceIds }) => sourceIds),
  );
  const siteOf = new Map(
    document.sources.flatMap(({ sourceId, site }) => (site === null ? [] : [[sourceId, site]])),
  );
  const sites = (ids: readonly string[]): string[] => ids.flatMap((id) => siteOf.get(id) ?? []);
  const draws = Math.max(cited.length, Math.round((document.targetWords ?? 0) / WORDS_OF_CITATION));
  const sources = breadth(cited, material, draws);
  const used = new Set(cited);
  const sides = document.conflicts.flatMap(({ viewpoints }) => viewpoints);
  const citedSides = sides.filter(({ sourceIds }) => sourceIds.some((id) => used.has(id))).length;
  const share = weightedMean(
    [
      { share: sources.kinds, weight: 4 },
      { share: sources.evenness, weight: 2 },
      siteOf.size === 0 ? null : { share: breadth(sites(cited), sites(material), draws).kinds, weight: 1 },
      sides.length === 0 ? null : { share: citedSides / sides.length, weight: 2 },
    ],
    0,
  );
  const all = new Set(material).size;
  const ofSides = sides.length === 0 ? '' : ` ${citedSides} of ${count(sides.length, 'side')} are cited.`;
  return {
    score: scoreOf(share),
    reason: `It cites ${used.size} of ${count(all, 'source')}, as evenly as ${effectiveNumber(tally(cited)).toFixed(1)} would be that are cited alike.${ofSides}`,
    places: neglectedTopics(prepared, used).map((partId) => ({ partId, quote: null })),
  };
}

/** Shares of what the material would give: of kinds, and of their evenness. */
function breadth(
  cited: readonly string[],
  material: readonly string[],
  draws: number,
): { kinds: number; evenness: number } {
  const [own, all] = [tally(cited), tally(material)];
  if (all.size === 0 || own.size === 0) return { kinds: 0, evenness: 0 };
  const wanted = kindsInDraws(all, draws);
  return {
    kinds: Math.min(1, own.size / wanted),
    evenness: Math.min(1, effectiveNumber(own) / Math.min(wanted, effectiveNumber(all))),
  };
}

function neglectedTopics({ document, room }: PreparedDocument, used: ReadonlySet<string>): string[] {
  return document.topics
    .filter(({ statements }) => {
      const own = new Set(statements.flatMap(({ sourceIds }) => sourceIds));
      return own.size > 0 && [...own].filter((id) => used.has(id)).length < NEGLECTED * room * own.size;
    })
    .map(({ id }) => id);
}
