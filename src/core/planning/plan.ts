import { type ParsedQuestion, parseQuestion, topicsOf } from '../question/parse-question';
import { phraseWriter } from './casing';
import { type Collection, type PlannedSource, readCollection } from './collection';
import { headingTerms, stemClasses } from './heading-phrases';
import {
  heavyOf,
  type Heading,
  leading,
  namesPeople,
  nameThemes,
  type Naming,
  sentenceCase,
} from './headings';
import { buildLatentSpace, type LatentSpace } from './latent-space';
import { findPhrases, type Phrase } from './phrases';
import { fitToQuestion, type ListedTerm, listedTerms, type QuestionFit } from './question-fit';
import { countRoles, type Roles } from './roles';
import { subdivide } from './subsections';
import { buildTermSpace, type TermSpace } from './term-space';
import { findThemes, FITTING, type Theme, themeLimits } from './themes';

/** A planned section; sources by id, best first, with their relevance 0–1. */
export interface PlannedSection {
  title: string;
  /** The title as it stands within a sentence. */
  phrase: string;
  /** Whom or what most of the section's sources concern, as a phrase, if they agree. */
  setting: string | null;
  subsections: { title: string; phrase: string; sourceIds: string[] }[];
  sources: { sourceId: string; relevance: number }[];
}

export interface Plan {
  /** Most telling for the question first. */
  sections: PlannedSection[];
  /** How many sources bear on the question at all. */
  fitting: number;
}

const MAX_PHRASES = 6_000;
const LATENT_RANK = 24;
/** Sources below this relevance are not listed, and at most so many are. */
const LEAST_RELEVANCE = 0.3;
const MOST_LISTED = 120;
/** From this fit on a source answers a broad question in its own words. */
const ANSWERS = 0.75;
/** From this relevance a source counts as one of the section's own. */
export const OWN_RELEVANCE = 0.5;

/** Plans sections for a question from titles and summaries; the same for any order of the sources. */
export function planSections(sources: readonly PlannedSource[], question: string): Plan {
  const parsed = parseQuestion(question);
  const whole = spaces(readCollection(sources));
  const wholeFit = fitToQuestion(whole.space, whole.latent, parsed);
  const fitting = [...wholeFit.fit.keys()].filter((source) => (wholeFit.fit[source] ?? 0) >= FITTING);
  // A question that no source answers is still given a plan: of everything there is.
  const kept = fitting.length >= 2 ? fitting : [...wholeFit.fit.keys()];
  const narrowed = kept.length < whole.space.terms.length;
  const { collection, space, latent } = narrowed ? spaces(subCollection(whole.collection, kept)) : whole;
  const fit: QuestionFit = {
    ...wholeFit,
    fit: Float64Array.from(
      kept.map((source) => Math.max(fitting.length >= 2 ? 0 : FITTING, wholeFit.fit[source] ?? 0)),
    ),
  };
  // What makes a good heading, and how it is written, is learnt from all sources, also where few of them are planned for.
  const wholePhrases = new Map(whole.space.phrases.map((phrase) => [phrase.key, phrase]));
  const worthy = new Set(headingTerms(whole.space).map((term) => whole.space.phrases[term]?.key));
  const candidates = [...space.phrases.keys()].filter((term) => worthy.has(space.phrases[term]?.key));
  const listed = inFullerWords(space, candidates, listedTerms(space, parsed));
  const classes = stemClasses(collection);
  const heavyStems = new Set(classes.flatMap((kind, stem) => (kind === 'heavy' ? [stem] : [])));
  const roles = countRoles(
    whole.collection,
    candidates.flatMap((term) => space.phrases[term] ?? []),
  );
  const limits = themeLimits(kept.length);
  const themes = findThemes(
    space,
    latent,
    fit,
    withoutSubject(candidates, space, parsed, fit),
    new Set(listed.keys()),
    wordsOfQuestion(space, parsed),
    heavyStems,
    (phrase) => sideWanted(wholeFit, roles.get(phrase.key)),
    limits,
  );
  const writer = phraseWriter(whole.collection);
  const written = (phrase: Phrase): string => writer(wholePhrases.get(phrase.key) ?? phrase);
  const wording = new Map(
    [...listed].flatMap(([term, { text }]) =>
      text === null ? [] : [[space.phrases[term]?.key, text] as const],
    ),
  );
  const naming: Naming = {
    space,
    fit,
    candidates,
    heavyStems,
    roles,
    write: (phrase) => wording.get(phrase.key) ?? written(phrase),
    asked: askedHeadings(listed, wholeFit.mainTopic),
  };
  const headings = nameThemes(naming, themes);
  const taken = new Set(
    headings.flatMap((heading) => heading.terms.flatMap((term) => heavyOf(naming, term))),
  );
  const idOf = (source: number): string => collection.sources[source]?.sourceId ?? '';
  const sections = themes.flatMap((theme, at): (PlannedSection & { weight: number })[] => {
    const heading = headings[at];
    if (heading === undefined || heading.title === '') return [];
    const ranked = relevances(naming, themes, at, heading, limits.belongs);
    const own = ranked.filter(({ relevance }) => relevance >= OWN_RELEVANCE).map(({ source }) => source);
    if (own.length < 2 && collection.sources.length > 1) return [];
    return [
      {
        title: heading.title,
        phrase: heading.phrase,
        setting: settingOf(naming, theme, heading),
        subsections: subdivide(naming, heading, own, taken).map(({ sources: members, ...subsection }) => ({
          ...subsection,
          sourceIds: members.map(idOf),
        })),
        sources: ranked.map(({ source, relevance }) => ({ sourceId: idOf(source), relevance })),
        weight: weightOf(theme, fit),
      },
    ];
  });
  const planned = sections
    .sort((a, b) => b.weight - a.weight || (a.title < b.title ? -1 : 1))
    .map(({ weight: _weight, ...section }) => section);
  const rest = furtherSection(planned, collection, fit);
  return { sections: rest === null ? planned : [...planned, rest], fitting: fitting.length };
}

/** Sources to the question that no theme took in get a last section under the question's own topic. */
function furtherSection(
  planned: readonly PlannedSection[],
  collection: Collection,
  fit: QuestionFit,
): PlannedSection | null {
  const placed = new Set(
    planned.flatMap((section) =>
      section.sources.filter(({ relevance }) => relevance >= OWN_RELEVANCE).map(({ sourceId }) => sourceId),
    ),
  );
  const left = collection.sources
    .map(({ sourceId }, source) => ({
      sourceId,
      relevance: Math.round(100 * Math.min(0.75, 0.4 + 0.35 * (fit.fit[source] ?? 0))) / 100,
    }))
    .filter(({ sourceId }) => !placed.has(sourceId));
  if (fit.broad || fit.mainTopic === null || left.length < Math.max(2, 0.15 * collection.sources.length))
    return null;
  const phrase = `further results on ${fit.mainTopic}`;
  return {
    title: sentenceCase(phrase),
    phrase,
    setting: null,
    subsections: [],
    sources: left
      .sort((a, b) => b.relevance - a.relevance || (a.sourceId < b.sourceId ? -1 : 1))
      .slice(0, MOST_LISTED),
  };
}

/** A listed word that hardly stands alone is replaced by the phrase that it stands in most: `bone` by `bone mineral density`. */
function inFullerWords(
  space: TermSpace,
  candidates: readonly number[],
  listed: ReadonlyMap<number, ListedTerm>,
): Map<number, ListedTerm> {
  const good = new Set(candidates);
  const result = new Map<number, ListedTerm>();
  for (const [term, own] of listed) {
    const phrase = space.phrases[term];
    if (phrase === undefined) continue;
    const standsAlone = phrase.freeCount >= 0.25 * phrase.plainCount;
    const fuller = candidates
      .filter(
        (candidate) =>
          candidate !== term && phrase.stems.every((stem) => space.phrases[candidate]?.stems.includes(stem)),
      )
      .sort(
        (a, b) => (space.phrases[b]?.sources.length ?? 0) - (space.phrases[a]?.sources.length ?? 0) || a - b,
      )[0];
    if (good.has(term) || standsAlone || fuller === undefined) result.set(term, own);
    else result.set(fuller, { ...own, text: null });
  }
  return result;
}

/** A question about what something does is divided by what it acts on; one about an outcome by what acts on that. */
function sideWanted(fit: QuestionFit, roles: Roles | undefined): number {
  const role = leading(roles, 1);
  if (fit.broad || role === null || fit.mainRole === null) return 1;
  const wanted = fit.mainRole === 'subject' ? role !== 'cause' : role === 'cause';
  return wanted ? 1.5 : 0.5;
}

function wordsOfQuestion(space: TermSpace, question: ParsedQuestion): Set<number> {
  const asked = new Set(topicsOf(question).flatMap((topic) => topic.words.map((word) => word.stem)));
  // `D3` is a sort of `D`.
  return new Set(
    [...space.collection.stems.keys()].filter((stem) =>
      asked.has((space.collection.stems[stem] ?? '').replace(/(?<=\p{L})\d+$/u, '')),
    ),
  );
}

/** Where a question lists whom or where, its subject goes with each: `Probiotics in infants`. */
function askedHeadings(
  listed: ReadonlyMap<number, ListedTerm>,
  mainTopic: string | null,
): Map<number, string> {
  return new Map(
    [...listed].flatMap(([term, { text, role }]) =>
      text !== null && role === 'condition' && mainTopic !== null && mainTopic !== text
        ? [[term, `${mainTopic} in ${text}`] as const]
        : [],
    ),
  );
}

/** What a question asks the kinds of is no kind itself: no section on `lifestyle interventions` among the interventions. */
function withoutSubject(
  candidates: readonly number[],
  space: TermSpace,
  question: ParsedQuestion,
  fit: QuestionFit,
): number[] {
  if (!fit.broad) return [...candidates];
  const asked = wordsOfQuestion(space, question);
  return candidates.filter((term) => !(space.phrases[term]?.stems ?? []).every((stem) => asked.has(stem)));
}

function spaces(collection: Collection): { collection: Collection; space: TermSpace; latent: LatentSpace } {
  const space = buildTermSpace(collection, findPhrases(collection, MAX_PHRASES));
  return {
    collection,
    space,
    latent: buildLatentSpace(
      space,
      Math.max(2, Math.min(LATENT_RANK, Math.floor(collection.sources.length / 3))),
    ),
  };
}

function subCollection(collection: Collection, kept: readonly number[]): Collection {
  return { ...collection, sources: kept.flatMap((source) => collection.sources[source] ?? []) };
}

/** Sections that answer the question best come first; among equals the larger. */
function weightOf(theme: Theme, fit: QuestionFit): number {
  const best = theme.core.slice(0, 10).map((source) => fit.fit[source] ?? 0);
  const mean = best.reduce((sum, value) => sum + value, 0) / (best.length || 1);
  return mean * mean * Math.log2(2 + theme.core.length);
}

function relevances(
  naming: Naming,
  themes: readonly Theme[],
  at: number,
  heading: Heading,
  belongs: number,
): { source: number; relevance: number }[] {
  const theme = themes[at];
  if (theme === undefined) return [];
  const { fit } = naming;
  const partner = naming.space.phrases[heading.terms[1] ?? -1];
  const strength = Float64Array.from(theme.affinity);
  partner?.sources.forEach(
    (source, at) => (strength[source] = (strength[source] ?? 0) + 0.15 * (partner.weights[at] ?? 0)),
  );
  const top = [...strength].sort((a, b) => b - a).slice(0, 3);
  const reference = top.reduce((sum, value) => sum + value, 0) / (top.length || 1) || 1;
  return [...strength]
    .map((value, source) => {
      const asked = fit.fit[source] ?? 0;
      const toQuestion = fit.broad ? 0.9 + 0.1 * asked : 0.55 + 0.45 * Math.min(1, asked / 0.75);
      // A source that answers the question well has a place, where it fits best, also if it fits no theme well.
      const isHome =
        asked >= ANSWERS &&
        themes.every(
          (other, index) => index === at || (other.affinity[source] ?? 0) <= (theme.affinity[source] ?? 0),
        );
      const relevance = Math.max(
        graded(value, reference, belongs) * toQuestion,
        isHome && fit.broad ? OWN_RELEVANCE : 0,
      );
      return { source, relevance: Math.round(100 * Math.min(0.98, relevance)) / 100 };
    })
    .filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
    .sort((a, b) => b.relevance - a.relevance || a.source - b.source)
    .slice(0, MOST_LISTED);
}

/** 0.55 where a source just belongs to the theme, 1 where it belongs as much as the theme's best do. */
function graded(strength: number, reference: number, belongs: number): number {
  if (strength < belongs || reference <= belongs) return (0.55 * strength) / belongs;
  return 0.55 + (0.45 * (strength - belongs)) / (reference - belongs);
}

/** What at least a third of the theme's own sources name as the setting: `older adults`. */
function settingOf(naming: Naming, theme: Theme, heading: Heading): string | null {
  const inCore = new Set(theme.core);
  const own = new Set(heading.terms.flatMap((term) => naming.space.phrases[term]?.stems ?? []));
  let best: { term: number; share: number } | null = null;
  for (const term of naming.candidates) {
    const phrase = naming.space.phrases[term];
    if (phrase === undefined || !namesPeople(naming.write(phrase))) continue;
    if (phrase.stems.length < 2 || phrase.stems.some((stem) => own.has(stem))) continue;
    const share =
      phrase.sources.reduce((count, source) => count + (inCore.has(source) ? 1 : 0), 0) /
      (theme.core.length || 1);
    if (share >= 0.3 && (best === null || share > best.share)) best = { term, share };
  }
  const phrase = best === null ? undefined : naming.space.phrases[best.term];
  return phrase === undefined ? null : naming.write(phrase);
}

export { sentenceCase };
