import { parseQuestion, topicsOf } from '../question/parse-question';
import { askedHeadings, inFullerWords, sideWanted, withoutSubject, wordsOfQuestion } from './asked-topics';
import { phraseWriter } from './casing';
import { type Collection, type PlannedSource, readCollection } from './collection';
import { furtherSection } from './further-section';
import { headingTerms, stemClasses } from './heading-phrases';
import { heavyOf, nameThemes, type Naming } from './headings';
import { buildLatentSpace, type LatentSpace } from './latent-space';
import { findPhrases, type Phrase } from './phrases';
import type { Plan, PlannedSection } from './planned-section';
import { fitToQuestion, listedTerms, type QuestionFit } from './question-fit';
import { OWN_RELEVANCE, relevances, weightOf } from './relevance';
import { countRoles } from './roles';
import { settingOf } from './setting';
import { subdivide } from './subsections';
import { buildTermSpace, type TermSpace } from './term-space';
import { FITTING } from './fitting';
import { findThemes, themeLimits, type ThemeSearch } from './themes';

const MAX_PHRASES = 6_000;
const LATENT_RANK = 24;

/** Plans sections for a question from titles and summaries; the same for any order of the sources. */
export function planSections(sources: readonly PlannedSource[], question: string): Plan {
  const parsed = parseQuestion(question);
  const asked = new Set(topicsOf(parsed).flatMap((topic) => topic.words.map((word) => word.stem)));
  const whole = spaces(readCollection(sources), asked);
  const wholeFit = fitToQuestion(whole.space, whole.latent, parsed);
  const fitting = [...wholeFit.fit.keys()].filter((source) => (wholeFit.fit[source] ?? 0) >= FITTING);
  // A question that no source answers is still given a plan: of everything there is.
  const kept = fitting.length >= 2 ? fitting : [...wholeFit.fit.keys()];
  const narrowed = kept.length < whole.space.terms.length;
  const { collection, space, latent } = narrowed
    ? spaces(subCollection(whole.collection, kept), asked)
    : whole;
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
  const listed = inFullerWords(space, candidates, listedTerms(space, parsed, wholeFit.mainTopic));
  const classes = stemClasses(collection);
  const heavyStems = new Set(classes.flatMap((kind, stem) => (kind === 'heavy' ? [stem] : [])));
  const roles = countRoles(
    whole.collection,
    candidates.flatMap((term) => space.phrases[term] ?? []),
  );
  const limits = themeLimits(kept.length, narrowed && !wholeFit.broad);
  // Too few for sides of a narrow question: they are one section on all of it.
  const isWhole = limits.count === 1 && !wholeFit.broad && wholeFit.subjectMatter !== null;
  const search: ThemeSearch = {
    space,
    latent,
    fit,
    candidates: withoutSubject(candidates, space, parsed, fit),
    listed: new Set(listed.keys()),
    ownWords: wordsOfQuestion(space, parsed),
    heavyStems,
    preference: (phrase) => sideWanted(wholeFit, roles.get(phrase.key)),
    limits,
  };
  const themes = isWhole ? [] : findThemes(search);
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
    asked: askedHeadings(listed, parsed, wholeFit.mainTopic),
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

function spaces(
  collection: Collection,
  asked: ReadonlySet<string>,
): { collection: Collection; space: TermSpace; latent: LatentSpace } {
  const space = buildTermSpace(collection, findPhrases(collection, MAX_PHRASES), asked);
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
