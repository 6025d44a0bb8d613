import {
  MAX_SCORED_SOURCES,
  type Outline,
  type OutlinePlan,
  type OutlineSection,
  type ScoredSource,
} from '../contracts/outline';
import { interleave } from '../lib/iterables';
import { withinSentence } from '../lib/strings';
import { terms } from '../text/words';

/** Document 002: threshold of "somewhat relevant". */
export const SOMEWHAT_RELEVANT = 0.5;
/** Sources below this relevance are not read for a section. */
export const MIN_RELEVANCE = 0.3;
/** Document 002: a section has 5–15 relevant sources. */
const RELEVANT_SOURCES = { min: 5, max: 15 };

/** Relevance of each source to each section, by section id, then source id. */
export type RelevanceScores = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The outline with a score of every source for every section. Sections with a single source are joined with the most similar one, and
 * each section lists its 5–15 most relevant sources. Requested scores take precedence over the plan's, unless no section would have a
 * source to read; a source without a score has 0. Without an answer the plan stays. With more than `MAX_SCORED_SOURCES` sources, each
 * ranking is cut.
 */
export function rankedOutline(
  plan: OutlinePlan,
  scores: RelevanceScores,
  sourceIds: readonly string[],
  /** Keeps sections that a single source supports. */
  keepsSections = false,
): Outline {
  const scoredBy = (asked: RelevanceScores): ScoredSection[] =>
    plan.sections.map((section) => ({ ...section, scores: scoresOf(section, asked, sourceIds) }));
  const isShortened = sourceIds.length > MAX_SCORED_SOURCES;
  const scored = scoredBy(scores);
  const isRead = scored.some((section) => supporters(section.scores) > 0);
  const whole = isRead ? scored : scoredBy(new Map());
  const sections = keepsSections ? whole : withoutSingleSources(whole);
  const ranked = rankBySupport(sections);
  return {
    overallTheme: plan.overallTheme,
    ...(plan.unanswered === undefined ? {} : { unanswered: plan.unanswered }),
    ...(isShortened ? { bearing: countRelevant(sections) } : {}),
    sections: sections.map(({ scores: _scores, ...section }) => {
      const all = ranked.get(section.id) ?? [];
      const sourceScores = isShortened ? all.slice(0, MAX_SCORED_SOURCES) : all;
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
    if (relevance > 0 || sourceIds.length <= MAX_SCORED_SOURCES) scored.set(sourceId, relevance);
  }
  return scored;
}

function countRelevant(sections: readonly ScoredSection[]): number {
  const bearing = sections.flatMap(({ scores }) =>
    [...scores].flatMap(([id, score]) => (score >= MIN_RELEVANCE ? [id] : [])),
  );
  return new Set(bearing).size;
}

/** In a run with a single source, one section remains. */
function withoutSingleSources(sections: readonly ScoredSection[]): ScoredSection[] {
  let left = [...sections];
  for (;;) {
    const single = left.find(({ scores }) => supporters(scores) < 2);
    if (single === undefined || left.length < 2) return left;
    const others = left.filter((section) => section !== single);
    const home = others.reduce((best, section) =>
      sectionSimilarity(section, single) > sectionSimilarity(best, single) ? section : best,
    );
    const scores = new Map(home.scores);
    for (const [id, score] of single.scores) scores.set(id, Math.max(score, scores.get(id) ?? 0));
    const joined = { ...joinSections(home, single), scores };
    left = others.map((section) => (section === home ? joined : section));
  }
}

function supporters(scores: ReadonlyMap<string, number>): number {
  return [...scores.values()].filter((score) => score >= MIN_RELEVANCE).length;
}

function mostRelevant(ranked: readonly ScoredSource[]): ScoredSource[] {
  const relevant = ranked.filter(({ relevance }) => relevance >= SOMEWHAT_RELEVANT);
  const wanted =
    relevant.length < RELEVANT_SOURCES.min
      ? ranked.filter(({ relevance }) => relevance >= MIN_RELEVANCE)
      : relevant;
  const count = Math.min(RELEVANT_SOURCES.max, Math.max(RELEVANT_SOURCES.min, relevant.length));
  return wanted.slice(0, count);
}

/** Bonus for the section to which a source is most relevant. */
const BEST_SECTION_BONUS = 0.05;
/** Bonus for a source that a subsection names. */
const SUBSECTION_BONUS = 0.03;

/** Re-ranking after pass 1. Relevances stay; the order decides what is read first. Ties by id. */
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
        (relevance > 0 && relevance === best.get(sourceId) ? BEST_SECTION_BONUS : 0) +
        (named.has(sourceId) ? SUBSECTION_BONUS : 0);
      const ranked = [...scores]
        .map(([sourceId, relevance]) => ({ sourceId, relevance, rank: rank(sourceId, relevance) }))
        .sort((a, b) => b.rank - a.rank || (a.sourceId < b.sourceId ? -1 : 1));
      return [id, ranked.map(({ sourceId, relevance }) => ({ sourceId, relevance }))] as const;
    }),
  );
}

/** Document 002: 5–8 sections. */
const MAX_SECTIONS = 8;

/** Merges outlines of parts of the sources. Above `most` sections, the smallest become subsections, so that no source is lost. */
export function joinPlans(outlines: readonly OutlinePlan[], most: number = MAX_SECTIONS): OutlinePlan {
  const merged = new Map<string, OutlineSection>();
  const [first, ...others] = outlines;
  for (const section of outlines.flatMap((outline) => outline.sections)) {
    const key = [...new Set(terms(section.title))].sort().join(' ') || section.title.toLowerCase();
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined
        ? section
        : { ...joinSections(known, section), description: descriptionOf(known.title) },
    );
  }
  if (merged.size === 0) return mergeUnanswered(outlines);
  const sections = [...merged.values()];
  const kept = [...sections]
    .sort((a, b) => b.relevantSources.length - a.relevantSources.length)
    .slice(0, most);
  for (const section of sections.filter((candidate) => !kept.includes(candidate))) {
    const home = kept.reduce((best, candidate, at) =>
      at > 0 && sectionSimilarity(candidate, section) > sectionSimilarity(best, section) ? candidate : best,
    );
    kept[kept.indexOf(home)] = joinSections(home, {
      ...section,
      subsections: [
        { title: section.title, sourceIds: section.relevantSources.map((source) => source.sourceId) },
      ],
    });
  }
  // Restores the order of the plan.
  const place = new Map(sections.map((section, at) => [section.title, at]));
  const ordered = kept.sort((a, b) => (place.get(a.title) ?? 0) - (place.get(b.title) ?? 0));
  return {
    overallTheme:
      first !== undefined && others.length === 0
        ? first.overallTheme
        : themeOfTitles(ordered.map(({ title }) => title)),
    sections: ordered.map((section, at) => ({
      ...section,
      id: `section-${at + 1}`,
      description:
        others.length > 0 && HAS_FIGURE.test(section.description)
          ? descriptionOf(section.title)
          : section.description,
    })),
  };
}

/** Figures in a partial plan count only a part of the sources. */
const HAS_FIGURE = /\p{N}/u;

/** If no part answers: the nearest source of each part before any part's second. */
function mergeUnanswered(outlines: readonly OutlinePlan[]): OutlinePlan {
  const nearest = interleave(outlines.map(({ unanswered }) => unanswered?.nearest ?? []));
  return { overallTheme: NO_ANSWER_THEME, sections: [], unanswered: { nearest: [...new Set(nearest)] } };
}

export function highestRelevance(sources: readonly ScoredSource[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { sourceId, relevance } of sources)
    highest.set(sourceId, Math.max(relevance, highest.get(sourceId) ?? 0));
  return highest;
}

/** Merges `other` into `section`, which keeps its title and description. */
export function joinSections<Section extends Omit<OutlineSection, 'id'>>(
  section: Section,
  other: Omit<OutlineSection, 'id'>,
): Section {
  const relevance = highestRelevance([...section.relevantSources, ...other.relevantSources]);
  const subsections = new Map<string, { title: string; sourceIds: string[] }>();
  for (const { title, sourceIds } of [...section.subsections, ...other.subsections]) {
    const known = subsections.get(title.toLowerCase());
    subsections.set(title.toLowerCase(), {
      title: known?.title ?? title,
      sourceIds: [...new Set([...(known?.sourceIds ?? []), ...sourceIds])],
    });
  }
  return {
    ...section,
    subsections: [...subsections.values()],
    relevantSources: [...relevance]
      .map(([sourceId, score]) => ({ sourceId, relevance: score }))
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
  };
}

function sectionSimilarity(one: OutlineSection, other: OutlineSection): number {
  const text = (section: OutlineSection): Set<string> =>
    new Set(terms(`${section.title} ${section.description}`));
  const sources = new Set(one.relevantSources.map((source) => source.sourceId));
  return (
    overlap(text(one), text(other)) +
    overlap(sources, new Set(other.relevantSources.map((source) => source.sourceId)))
  );
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...other].filter((item) => one.has(item)).length / Math.max(1, Math.min(one.size, other.size));
}

const MIN_SECTIONS = 5;
/** Fewer sources need a single section only. */
const MIN_SOURCES_FOR_SECTIONS = 10;

export function targetSections(sources: number): { least: number; most: number } {
  const most = Math.min(MAX_SECTIONS, Math.max(1, Math.ceil(sources / 2)));
  return { least: sources < MIN_SOURCES_FOR_SECTIONS ? 1 : Math.min(MIN_SECTIONS, most), most };
}

const MAX_TITLE_CHARS = 120;
/** Relevance of the source that shares most words with the question. */
const MAX_QUESTION_RELEVANCE = 0.95;

/** One section with the question as its title and all sources, if pass 1 fails or the run has one pass only. */
export function questionOutline(
  question: string,
  sourceIds: readonly string[],
  /** Share of the question's words in each source, 0–1, in the order of the ids. */
  nearness: readonly number[],
): OutlinePlan {
  const all = sourceIds.length === 1 ? 'the only source' : `all ${sourceIds.length} sources`;
  return {
    overallTheme:
      sourceIds.length === 1
        ? 'What the only source says on the question, not grouped by themes.'
        : `What all ${sourceIds.length} sources say on the question, not grouped by themes.`,
    sections: [
      {
        id: 'section-1',
        title: titleOfQuestion(question),
        description: `What ${all} say on the question.`,
        subsections: [],
        relevantSources: sourceIds
          .map((sourceId, at) => ({
            sourceId,
            relevance:
              Math.round(
                100 * (MIN_RELEVANCE + (MAX_QUESTION_RELEVANCE - MIN_RELEVANCE) * (nearness[at] ?? 0)),
              ) / 100,
          }))
          .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
      },
    ],
  };
}

export function titleOfQuestion(question: string): string {
  const title = question.replace(/\s+/g, ' ').trim();
  return title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS - 1)}…`;
}

/** A source with the findings of a section after pass 2. `score` is its rank, 0–1. */
export interface SourceYield extends ScoredSource {
  findings: number;
  score: number;
}

const YIELD_SHARE = 0.5;
/** Number of findings with full confidence that gives the maximum. */
const FULL_YIELD = 3;

/** Re-ranking after pass 2, by relevance to the section and by the findings of each source, weighted by confidence. Ties by id. */
export function rankByFindings(
  sources: readonly ScoredSource[],
  findings: readonly { citations: readonly string[]; confidence: number }[],
): SourceYield[] {
  return sources
    .map(({ sourceId, relevance }) => {
      const own = findings.filter(({ citations }) => citations.includes(sourceId));
      const given = own.reduce((sum, { confidence }) => sum + confidence, 0);
      const score = (1 - YIELD_SHARE) * relevance + YIELD_SHARE * Math.min(1, given / FULL_YIELD);
      return { sourceId, relevance, findings: own.length, score: Math.round(1_000 * score) / 1_000 };
    })
    .sort((a, b) => b.score - a.score || (a.sourceId < b.sourceId ? -1 : 1));
}

/** Relevance of the source that shares most words with a section, as in `questionOutline`. */
const MAX_RELEVANCE = 0.95;

/** Best first; ties by id. `shares` has 0–1 for each section and source. */
export function sourcesByWords(
  sourceIds: readonly string[],
  shares: readonly (readonly number[])[],
): ScoredSource[][] {
  const best = sourceIds.map((_id, at) => Math.max(0, ...shares.map((ofSection) => ofSection[at] ?? 0)));
  return shares.map((ofSection) =>
    sourceIds
      .flatMap((sourceId, at) => {
        const share = ofSection[at] ?? 0;
        if (share === 0 || (share < (best[at] ?? 0) && MAX_RELEVANCE * share < MIN_RELEVANCE)) return [];
        return [
          { sourceId, relevance: Math.round(100 * Math.max(MIN_RELEVANCE, MAX_RELEVANCE * share)) / 100 },
        ];
      })
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1)),
  );
}

export const NO_ANSWER_THEME = 'No sentence of the sources is likely to answer the question.';

export function themeOfTitles(titles: readonly string[]): string {
  return `The sources deal with ${titles.join('; ')}.`;
}

export function descriptionOf(title: string): string {
  return `What the sources say on ${withinSentence(title)}.`;
}

/** Highest relevance of each source to a section of the outline, 0–1. */
export function relevanceOfSources(outline: Outline | null): Map<string, number> {
  return highestRelevance(
    (outline?.sections ?? []).flatMap((section) => [...section.relevantSources, ...section.sourceScores]),
  );
}

export function relevantSourceIds(outline: Outline | null): Set<string> {
  return new Set(
    [...relevanceOfSources(outline)].flatMap(([id, score]) => (score >= MIN_RELEVANCE ? [id] : [])),
  );
}

export function countRelevantSources(outline: Outline): number {
  return outline.bearing ?? relevantSourceIds(outline).size;
}
