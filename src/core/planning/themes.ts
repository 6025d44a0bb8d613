import { sameRoot } from './headings';
import { type LatentSpace, nearness, unitVector } from './latent-space';
import type { Phrase } from './phrases';
import type { QuestionFit } from './question-fit';
import type { TermSpace } from './term-space';

/** A theme of the collection: the term that it grew from, and how strongly each source belongs to it, 0–1. */
export interface Theme {
  term: number;
  affinity: Float64Array;
  /** Sources whose strongest theme this is, strongest first. */
  core: number[];
}

export interface ThemeLimits {
  count: number;
  /** The fewest sources that make a theme. */
  minSources: number;
  /** The least affinity, 0–1, with which a source counts as one of a theme's own. */
  belongs: number;
}

/** A theme may hold this many times its even share of the fitting sources; a wider term is no theme within them. */
const WIDEST = 1.8;
/** Topics that the question itself lists get a section each, as long as anything is left for others. */
const WIDEST_LISTED = 0.85;
const WORTH_LISTED = 4;
/** What only repeats the question's own topic tells little about the sides of it. */
const WORTH_REPEATED = 0.3;
/** A theme is worth having while it adds this share of what the first one added. */
/** Sources below this fit are off the question. */
export const FITTING = 0.3;
const WORTH_ADDING = 0.12;
const CONTENDERS = 120;
const SETTLING_ROUNDS = 3;

/** How many sections a plan has, by how many sources it has to plan for; fewer where fewer themes are found. */
export function themeLimits(fittingSources: number): ThemeLimits {
  const steps = [5, 9, 12, 18, 40, 90, 200];
  const count = 1 + steps.filter((step) => fittingSources >= step).length;
  return {
    count,
    minSources: fittingSources < 40 ? 2 : Math.max(3, Math.round(fittingSources / 60)),
    belongs: fittingSources < 60 ? 0.2 : 0.27,
  };
}

/**
 * Chooses themes one by one: each is the term whose sources, weighted by their fit to the question, are least covered
 * by the themes before it. It stops where the next one would add little, so the material decides how many there are.
 */
export function findThemes(
  space: TermSpace,
  latent: LatentSpace,
  fit: QuestionFit,
  candidates: readonly number[],
  listed: ReadonlySet<number>,
  ownWords: ReadonlySet<number>,
  heavyStems: ReadonlySet<number>,
  preference: (phrase: Phrase) => number,
  limits: ThemeLimits,
): Theme[] {
  const fits = fit.fit.map((value) => (value >= FITTING ? value : 0));
  const total = fits.reduce((sum, value) => sum + value, 0) || 1;
  const widest = Math.min(0.75, WIDEST / limits.count);
  const prepared = [...new Set([...candidates, ...listed])].flatMap((term) => {
    const phrase = space.phrases[term];
    if (phrase === undefined) return [];
    let weight = 0;
    let fitting = 0;
    phrase.sources.forEach((source, at) => {
      const value = fits[source] ?? 0;
      weight += value * (phrase.weights[at] ?? 0);
      if (value >= FITTING) fitting++;
    });
    const share = phrase.sources.reduce((sum, source) => sum + (fits[source] ?? 0), 0) / total;
    if (
      fitting < limits.minSources ||
      (share > (listed.has(term) ? WIDEST_LISTED : widest) && limits.count > 1)
    )
      return [];
    return [
      {
        term,
        phrase,
        worth: listed.has(term)
          ? WORTH_LISTED
          : worthOf(space, latent, fit, term) *
            preference(phrase) *
            (repeatsQuestion(phrase, ownWords, heavyStems) ? WORTH_REPEATED : 1),
      },
    ];
  });
  const contenders = shortList(prepared, fits).map((candidate) => ({
    ...candidate,
    theme: themeOf(space, latent, fit, candidate.term),
  }));
  const covered = new Float64Array(space.terms.length);
  const themes: Theme[] = [];
  const stemsTaken = new Set<number>();
  let firstGain = 0;
  while (themes.length < limits.count) {
    let best: { contender: (typeof contenders)[number]; gain: number } | null = null;
    for (const contender of contenders) {
      if (
        contender.phrase.stems.some((stem) =>
          [...stemsTaken].some((other) => sameRoot(space.collection.stems, stem, other)),
        )
      )
        continue;
      let gain = 0;
      contender.theme.affinity.forEach((value, source) => {
        if (value >= limits.belongs)
          gain +=
            (fits[source] ?? 0) * Math.max(0, value - Math.max(limits.belongs / 2, covered[source] ?? 0));
      });
      gain *= contender.worth;
      if (
        best === null ||
        gain > best.gain ||
        (gain === best.gain && contender.phrase.key < best.contender.phrase.key)
      ) {
        best = { contender, gain };
      }
    }
    if (best === null || best.gain <= 0 || best.gain < WORTH_ADDING * firstGain) break;
    firstGain = Math.max(firstGain, best.gain);
    themes.push(best.contender.theme);
    best.contender.theme.affinity.forEach(
      (value, source) => (covered[source] = Math.max(covered[source] ?? 0, value)),
    );
    for (const stem of best.contender.phrase.stems) if (heavyStems.has(stem)) stemsTaken.add(stem);
  }
  return settle(space, latent, themes, fit, limits);
}

function repeatsQuestion(
  phrase: Phrase,
  ownWords: ReadonlySet<number>,
  heavyStems: ReadonlySet<number>,
): boolean {
  return (
    phrase.stems.some((stem) => ownWords.has(stem)) &&
    phrase.stems.every((stem) => ownWords.has(stem) || !heavyStems.has(stem))
  );
}

/** The terms that cover most by being named; only they are compared by all that resembles their sources. */
function shortList<Candidate extends { phrase: Phrase; worth: number }>(
  candidates: readonly Candidate[],
  fits: Float64Array,
): Candidate[] {
  return candidates
    .map((candidate) => {
      const { phrase, worth } = candidate;
      return {
        candidate,
        named:
          worth *
          phrase.sources.reduce(
            (sum, source, at) => sum + (fits[source] ?? 0) * (phrase.weights[at] ?? 0),
            0,
          ),
      };
    })
    .sort((a, b) => b.named - a.named || (a.candidate.phrase.key < b.candidate.phrase.key ? -1 : 1))
    .slice(0, CONTENDERS)
    .map(({ candidate }) => candidate);
}

/** Terms in titles, of several words, whose sources resemble each other, make the better headings. */
function worthOf(space: TermSpace, latent: LatentSpace, fit: QuestionFit, term: number): number {
  const phrase = space.phrases[term];
  if (phrase === undefined) return 0;
  const inTitles = 0.5 + Math.min(1, phrase.titleCount / Math.max(1, 0.25 * phrase.sources.length)) * 0.5;
  const words = phrase.stems.length === 1 ? 0.4 : 1;
  const sum = new Float64Array(latent.rank);
  let weights = 0;
  phrase.sources.forEach((source, at) => {
    const weight = (fit.fit[source] ?? 0) * (phrase.weights[at] ?? 0);
    weights += weight;
    for (let k = 0; k < latent.rank; k++)
      sum[k] = (sum[k] ?? 0) + weight * (latent.sources[source * latent.rank + k] ?? 0);
  });
  const cohesion =
    weights > 0 ? Math.sqrt(sum.reduce((total, value) => total + value * value, 0)) / weights : 0;
  return inTitles * words * (0.25 + cohesion);
}

function themeOf(space: TermSpace, latent: LatentSpace, fit: QuestionFit, term: number): Theme {
  return withAffinity(
    space,
    latent,
    { term, affinity: new Float64Array(0), core: [] },
    centreOf(latent, members(space, fit, term)),
  );
}

/** The sources that mention the term, weighted by how much and by their fit. */
function members(space: TermSpace, fit: QuestionFit, term: number): { source: number; weight: number }[] {
  const phrase = space.phrases[term];
  return [...(phrase?.sources ?? [])].map((source, at) => ({
    source,
    weight: (fit.fit[source] ?? 0) * (phrase?.weights[at] ?? 0) ** 2,
  }));
}

function centreOf(
  latent: LatentSpace,
  weighted: readonly { source: number; weight: number }[],
): Float64Array {
  const sum = new Float64Array(latent.rank);
  for (const { source, weight } of weighted) {
    for (let at = 0; at < latent.rank; at++)
      sum[at] = (sum[at] ?? 0) + weight * (latent.sources[source * latent.rank + at] ?? 0);
  }
  return unitVector(sum);
}

/** How strongly a source belongs: it names the term, and it resembles the theme's other sources. */
function withAffinity(space: TermSpace, latent: LatentSpace, theme: Theme, centre: Float64Array): Theme {
  const affinity = new Float64Array(space.terms.length);
  for (let source = 0; source < affinity.length; source++)
    affinity[source] = 0.6 * Math.max(0, nearness(latent, source, centre));
  const phrase = space.phrases[theme.term];
  phrase?.sources.forEach(
    (source, at) => (affinity[source] = (affinity[source] ?? 0) + 0.4 * (phrase.weights[at] ?? 0)),
  );
  return { ...theme, affinity };
}

/**
 * Moves each theme's centre to the sources that are nearest to it (spherical k-means from the chosen terms), and gives
 * every source to its strongest theme. A theme left with too few is dropped, and its sources go to the next.
 */
function settle(
  space: TermSpace,
  latent: LatentSpace,
  chosen: readonly Theme[],
  fit: QuestionFit,
  limits: ThemeLimits,
): Theme[] {
  let themes = [...chosen];
  for (let round = 0; round < SETTLING_ROUNDS; round++) {
    themes = assign(themes, fit, limits.belongs).map((theme) => {
      const anchored = members(space, fit, theme.term);
      const near = theme.core.map((source) => ({
        source,
        weight: (fit.fit[source] ?? 0) * (theme.affinity[source] ?? 0) ** 2,
      }));
      return withAffinity(space, latent, theme, centreOf(latent, [...anchored, ...near]));
    });
  }
  for (;;) {
    themes = assign(themes, fit, limits.belongs);
    const smallest = themes.reduce(
      (least, theme) => (theme.core.length < least.core.length ? theme : least),
      themes[0] ?? { core: [] as number[] },
    );
    if (themes.length <= 1 || smallest.core.length >= Math.max(2, limits.minSources)) return themes;
    themes = themes.filter((theme) => theme !== smallest);
  }
}

function assign(themes: readonly Theme[], fit: QuestionFit, belongs: number): Theme[] {
  const cores = themes.map(() => [] as number[]);
  fit.fit.forEach((value, source) => {
    if (value < FITTING) return;
    const strengths = themes.map((theme) => theme.affinity[source] ?? 0);
    const best = strengths.indexOf(Math.max(...strengths));
    if ((strengths[best] ?? 0) >= belongs) cores[best]?.push(source);
  });
  return themes.map((theme, at) => {
    const strength = (source: number): number => (theme.affinity[source] ?? 0) * (fit.fit[source] ?? 0);
    return { ...theme, core: (cores[at] ?? []).sort((a, b) => strength(b) - strength(a) || a - b) };
  });
}
