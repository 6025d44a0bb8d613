import {
  SCORED_AT_MOST,
  type Outline,
  type OutlinePlan,
  type OutlineSection,
  type ScoredSource,
} from '../../contracts/report/outline';
import { joinSections, sectionLikeness } from './join-plans';

/** Document 002: "somewhat relevant" begins here. */
export const SOMEWHAT_RELEVANT = 0.5;
/** What is below this is not read for a section. */
export const READ_FROM = 0.3;
/** Document 002: a section has 5–15 relevant sources. */
const RELEVANT_SOURCES = { min: 5, max: 15 };

/** What each source has to say to each section, by section id. */
export type RelevanceScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The outline that the run goes by: every source has a score for every section, sections that a single source supports are
 * joined with what is most like them, and each section names its 5–15 most relevant sources. A score that was asked for
 * counts before the one that the plan came with, unless no section would have a source to read by what was asked for; a
 * source without either has nothing to say to the section. Where nothing answers the plan stands as it is. Of very many sources
 * those with nothing to say to a section are left out of its ranking, and of the others the last.
 */
export function rankedOutline(
  plan: OutlinePlan,
  scores: RelevanceScores,
  sourceIds: readonly string[],
  /** Sections that a single source supports stay. */
  keepsSections = false,
): Outline {
  const scoredBy = (asked: RelevanceScores): ScoredSection[] =>
    plan.sections.map((section) => ({ ...section, scores: scoresOf(section, asked, sourceIds) }));
  const isShortened = sourceIds.length > SCORED_AT_MOST;
  const scored = scoredBy(scores);
  const isRead = scored.some((section) => supporters(section.scores) > 0);
  const whole = isRead ? scored : scoredBy(new Map());
  const sections = keepsSections ? whole : withoutSingleSources(whole);
  const ranked = rankBySupport(sections);
  return {
    overallTheme: plan.overallTheme,
    ...(plan.unanswered === undefined ? {} : { unanswered: plan.unanswered }),
    ...(isShortened ? { bearing: bearingIn(sections) } : {}),
    sections: sections.map(({ scores: _scores, ...section }) => {
      const all = ranked.get(section.id) ?? [];
      const sourceScores = isShortened ? all.slice(0, SCORED_AT_MOST) : all;
      return { ...section, relevantSources: mostRelevant(sourceScores), sourceScores };
    }),
  };
}

type ScoredSection = OutlineSection & { scores: Map<string, number> };

function scoresOf(
  { id, relevantSources }: OutlineSection,
  scores: RelevanceScores,
  sourceIds: readonly string[],
): Map<string, number> {
  const planned = new Map(relevantSources.map(({ sourceId, relevance }) => [sourceId, relevance]));
  const asked = scores.get(id);
  const scored = new Map<string, number>();
  for (const sourceId of sourceIds) {
    const relevance = asked?.get(sourceId) ?? planned.get(sourceId) ?? 0;
    if (relevance > 0 || sourceIds.length <= SCORED_AT_MOST) scored.set(sourceId, relevance);
  }
  return scored;
}

function bearingIn(sections: readonly ScoredSection[]): number {
  const bearing = sections.flatMap(({ scores }) =>
    [...scores].flatMap(([id, score]) => (score >= READ_FROM ? [id] : [])),
  );
  return new Set(bearing).size;
}

/** Where the run has a single source, its section is one of a single source. */
function withoutSingleSources(sections: readonly ScoredSection[]): ScoredSection[] {
  let left = [...sections];
  for (;;) {
    const single = left.find(({ scores }) => supporters(scores) < 2);
    if (single === undefined || left.length < 2) return left;
    const others = left.filter((section) => section !== single);
    const home = others.reduce((best, section) =>
      sectionLikeness(section, single) > sectionLikeness(best, single) ? section : best,
    );
    const scores = new Map(home.scores);
    for (const [id, score] of single.scores) scores.set(id, Math.max(score, scores.get(id) ?? 0));
    const joined = { ...joinSections(home, single), scores };
    left = others.map((section) => (section === home ? joined : section));
  }
}

function supporters(scores: ReadonlyMap<string, number>): number {
  return [...scores.values()].filter((score) => score >= READ_FROM).length;
}

function mostRelevant(ranked: readonly ScoredSource[]): ScoredSource[] {
  const relevant = ranked.filter(({ relevance }) => relevance >= SOMEWHAT_RELEVANT);
  const wanted =
    relevant.length < RELEVANT_SOURCES.min
      ? ranked.filter(({ relevance }) => relevance >= READ_FROM)
      : relevant;
  const count = Math.min(RELEVANT_SOURCES.max, Math.max(RELEVANT_SOURCES.min, relevant.length));
  return wanted.slice(0, count);
}

/** A source is read first for the section that it has most to say to. */
const BEST_SECTION = 0.05;
/** A subsection names it: it was seen to have something particular to say. */
const NAMED_BY_SUBSECTION = 0.03;

/**
 * The re-ranking after pass 1: each section's sources by their relevance and by what they support. Relevances stay as they
 * are; the order says what is read first. Ties by id.
 */
function rankBySupport(
  sections: readonly (Pick<OutlineSection, 'id' | 'subsections'> & { scores: ReadonlyMap<string, number> })[],
): Map<string, ScoredSource[]> {
  const best = new Map<string, number>();
  for (const { scores } of sections) {
    for (const [id, score] of scores) best.set(id, Math.max(score, best.get(id) ?? 0));
  }
  return new Map(
    sections.map(({ id, subsections, scores }) => {
      const named = new Set(subsections.flatMap(({ sourceIds }) => sourceIds));
      const rank = (sourceId: string, relevance: number): number =>
        relevance +
        (relevance > 0 && relevance === best.get(sourceId) ? BEST_SECTION : 0) +
        (named.has(sourceId) ? NAMED_BY_SUBSECTION : 0);
      const ranked = [...scores]
        .map(([sourceId, relevance]) => ({ sourceId, relevance, rank: rank(sourceId, relevance) }))
        .sort((a, b) => b.rank - a.rank || (a.sourceId < b.sourceId ? -1 : 1));
      return [id, ranked.map(({ sourceId, relevance }) => ({ sourceId, relevance }))] as const;
    }),
  );
}
