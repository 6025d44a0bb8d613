import { parseQuestion } from '../question/parse-question';
import { phraseWriter } from './casing';
import { type Collection, type PlannedSource, readCollection } from './collection';
import { headingTerms, stemClasses } from './heading-phrases';
import { heavyOf, type Heading, leading, nameThemes, type Naming, sentenceCase } from './headings';
import { buildLatentSpace, type LatentSpace } from './latent-space';
import { findPhrases } from './phrases';
import { fitToQuestion, listedTerms, type QuestionFit } from './question-fit';
import { countRoles } from './roles';
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
    broad: wholeFit.broad,
    fit: Float64Array.from(kept.map((source) => Math.max(fitting.length >= 2 ? 0 : FITTING, wholeFit.fit[source] ?? 0))),
  };
  const candidates = headingTerms(space);
  const listed = listedTerms(space, parsed);
  const themes = findThemes(space, latent, fit, candidates, new Set(listed.keys()), themeLimits(kept.length));
  const written = phraseWriter(collection);
  const wording = new Map([...listed].map(([term, text]) => [space.phrases[term]?.key, text]));
  const classes = stemClasses(collection);
  const naming: Naming = {
    space,
    fit,
    candidates,
    heavyStems: new Set(classes.flatMap((kind, stem) => (kind === 'heavy' ? [stem] : []))),
    roles: countRoles(collection, candidates.flatMap((term) => space.phrases[term] ?? [])),
    write: (phrase) => wording.get(phrase.key) ?? written(phrase),
  };
  const headings = nameThemes(naming, themes);
  const taken = new Set(headings.flatMap((heading) => heading.terms.flatMap((term) => heavyOf(naming, term))));
  const idOf = (source: number): string => collection.sources[source]?.sourceId ?? '';
  const sections = themes.flatMap((theme, at): (PlannedSection & { weight: number })[] => {
    const heading = headings[at];
    if (heading === undefined || heading.title === '') return [];
    const ranked = relevances(naming, theme, heading);
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
  return {
    sections: sections
      .sort((a, b) => b.weight - a.weight || (a.title < b.title ? -1 : 1))
      .map(({ weight: _weight, ...section }) => section),
    fitting: fitting.length,
  };
}

function spaces(collection: Collection): { collection: Collection; space: TermSpace; latent: LatentSpace } {
  const space = buildTermSpace(collection, findPhrases(collection, MAX_PHRASES));
  return { collection, space, latent: buildLatentSpace(space, Math.max(2, Math.min(LATENT_RANK, Math.floor(collection.sources.length / 3)))) };
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

function relevances(naming: Naming, theme: Theme, heading: Heading): { source: number; relevance: number }[] {
  const { fit } = naming;
  const partner = naming.space.phrases[heading.terms[1] ?? -1];
  const strength = Float64Array.from(theme.affinity);
  partner?.sources.forEach((source, at) => (strength[source] = (strength[source] ?? 0) + 0.15 * (partner.weights[at] ?? 0)));
  const top = [...strength].sort((a, b) => b - a).slice(0, 3);
  const reference = top.reduce((sum, value) => sum + value, 0) / (top.length || 1) || 1;
  return [...strength]
    .map((value, source) => {
      const asked = fit.fit[source] ?? 0;
      const toQuestion = fit.broad ? 0.8 + 0.2 * asked : 0.55 + 0.45 * Math.min(1, asked / 0.75);
      return { source, relevance: Math.round(100 * Math.min(0.98, (value / reference) * toQuestion)) / 100 };
    })
    .filter(({ relevance }) => relevance >= LEAST_RELEVANCE)
    .sort((a, b) => b.relevance - a.relevance || a.source - b.source)
    .slice(0, MOST_LISTED);
}

/** What at least a third of the theme's own sources name as the setting: `older adults`. */
function settingOf(naming: Naming, theme: Theme, heading: Heading): string | null {
  const inCore = new Set(theme.core);
  const own = new Set(heading.terms.flatMap((term) => naming.space.phrases[term]?.stems ?? []));
  let best: { term: number; share: number } | null = null;
  for (const term of naming.candidates) {
    const phrase = naming.space.phrases[term];
    if (phrase === undefined || leading(naming.roles.get(phrase.key)) !== 'setting') continue;
    if (phrase.stems.length < 2 || phrase.stems.some((stem) => own.has(stem))) continue;
    const share = phrase.sources.reduce((count, source) => count + (inCore.has(source) ? 1 : 0), 0) / (theme.core.length || 1);
    if (share >= 0.3 && (best === null || share > best.share)) best = { term, share };
  }
  const phrase = best === null ? undefined : naming.space.phrases[best.term];
  return phrase === undefined ? null : naming.write(phrase);
}

export { sentenceCase };
