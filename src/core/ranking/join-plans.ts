import { terms } from '../../language/words';
import type { OutlinePlan, OutlineSection, ScoredSource } from '../../contracts/report/outline';
import { inTurns } from '../values/in-turns';
import { descriptionOf, NOTHING_ANSWERS, themeOfTitles } from './outline-wording';

/** Document 002: 5–8 sections. */
const MAX_SECTIONS = 8;

/**
 * One outline from several that were made from parts of the sources. Sections of the same title are one; of more than
 * `most` the smallest become subsections of those that they have most in common with, so that no source is lost. What a
 * plan says of its part is not said of the whole: several plans, and sections that are joined, are described by their titles.
 */
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
  if (merged.size === 0) return unansweredByAll(outlines);
  const sections = [...merged.values()];
  const kept = [...sections]
    .sort((a, b) => b.relevantSources.length - a.relevantSources.length)
    .slice(0, most);
  for (const section of sections.filter((candidate) => !kept.includes(candidate))) {
    const home = kept.reduce((best, candidate, at) =>
      at > 0 && sectionLikeness(candidate, section) > sectionLikeness(best, section) ? candidate : best,
    );
    kept[kept.indexOf(home)] = joinSections(home, {
      ...section,
      subsections: [
        { title: section.title, sourceIds: section.relevantSources.map((source) => source.sourceId) },
      ],
    });
  }
  // By the number that a section had, so that the order is the plan's.
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

/** What a plan counts is a part of the sources. */
const HAS_FIGURE = /\p{N}/u;

/** Where no part answers: each part's nearest source before any part's second. */
function unansweredByAll(outlines: readonly OutlinePlan[]): OutlinePlan {
  const nearest = inTurns(outlines.map(({ unanswered }) => unanswered?.nearest ?? []));
  return { overallTheme: NOTHING_ANSWERS, sections: [], unanswered: { nearest: [...new Set(nearest)] } };
}

export function relevanceOf(sources: readonly ScoredSource[]): Map<string, number> {
  const highest = new Map<string, number>();
  for (const { sourceId, relevance } of sources)
    highest.set(sourceId, Math.max(relevance, highest.get(sourceId) ?? 0));
  return highest;
}

/** `other` goes into `section`, whose title and description stay. */
export function joinSections<Section extends Omit<OutlineSection, 'id'>>(
  section: Section,
  other: Omit<OutlineSection, 'id'>,
): Section {
  const relevance = relevanceOf([...section.relevantSources, ...other.relevantSources]);
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

export function sectionLikeness(one: OutlineSection, other: OutlineSection): number {
  const text = (section: OutlineSection): Set<string> =>
    new Set(terms(`${section.title} ${section.description}`));
  const sources = new Set(one.relevantSources.map((source) => source.sourceId));
  return (
    shared(text(one), text(other)) +
    shared(sources, new Set(other.relevantSources.map((source) => source.sourceId)))
  );
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...other].filter((item) => one.has(item)).length / Math.max(1, Math.min(one.size, other.size));
}

const LEAST_SECTIONS = 5;
/** With fewer sources a single section is enough. */
const SOURCES_FOR_SECTIONS = 10;

/** How many sections a report over so many sources has. */
export function wantedSections(sources: number): { least: number; most: number } {
  const most = Math.min(MAX_SECTIONS, Math.max(1, Math.ceil(sources / 2)));
  return { least: sources < SOURCES_FOR_SECTIONS ? 1 : Math.min(LEAST_SECTIONS, most), most };
}
