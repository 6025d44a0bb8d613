import { sameRoot } from './headings';
import type { LatentSpace } from './latent-space';
import type { Phrase } from './phrases';
import type { QuestionFit } from './question-fit';
import { FITTING } from './fitting';
import { settle, themeOf } from './settle-themes';
import type { TermSpace } from './term-space';
import type { Theme, ThemeLimits } from './theme';

/** A theme may hold this many times its even share of the fitting sources; a wider term is no theme within them. */
const WIDEST = 1.8;
/** Topics that the question itself lists get a section each, as long as anything is left for others. */
const WIDEST_LISTED = 0.85;
const WORTH_LISTED = 4;
/** What only repeats the question's own topic tells little about the sides of it. */
const WORTH_REPEATED = 0.3;
/** A theme is worth having while it adds this share of what the first one added. */
const WORTH_ADDING = 0.12;
/** So many terms are compared by all that resembles their sources, not only by those that name them. */
const CONTENDERS = 120;
/** A narrow question has few sources for each theme; this share of them must be about what the theme is called by. */
const NAMED_SHARE = 0.4;
/** A theme is named by a single word only where the word stands alone in this share of its uses. */
const ALONE = 0.45;

const STEPS = [8, 10, 13, 18, 40, 90, 200];
/** Of sources picked from among others, many say but a sentence on what is asked: a section needs more of them. */
const NARROW_STEPS = [10, 18, 32, 45, 60, 90, 200];

/** How many sections a plan has, by how many sources it has to plan for; fewer where fewer themes are found. */
export function themeLimits(fittingSources: number, isNarrow = false): ThemeLimits {
  const steps = isNarrow ? NARROW_STEPS : STEPS;
  const count = 1 + steps.filter((step) => fittingSources >= step).length;
  return {
    count,
    minSources: fittingSources < 40 ? 2 : Math.max(3, Math.round(fittingSources / 60)),
    belongs: fittingSources < 60 ? 0.2 : 0.27,
  };
}

export interface ThemeSearch {
  space: TermSpace;
  latent: LatentSpace;
  fit: QuestionFit;
  /** Terms that could stand in a heading. */
  candidates: readonly number[];
  /** Terms for topics that the question lists. */
  listed: ReadonlySet<number>;
  /** The stems of the question's own topics. */
  ownWords: ReadonlySet<number>;
  heavyStems: ReadonlySet<number>;
  /** A factor for terms that the question asks for more, or less. */
  preference: (phrase: Phrase) => number;
  limits: ThemeLimits;
}

/**
 * Chooses themes one by one: each is the term whose sources, weighted by their fit to the question, are least covered
 * by the themes before it. It stops where the next one would add little, so the material decides how many there are.
 */
export function findThemes({
  space,
  latent,
  fit,
  candidates,
  listed,
  ownWords,
  heavyStems,
  preference,
  limits,
}: ThemeSearch): Theme[] {
  const fits = fit.fit.map((value) => (value >= FITTING ? value : 0));
  const total = fits.reduce((sum, value) => sum + value, 0) || 1;
  const widest = Math.min(0.75, WIDEST / limits.count);
  const isWorthSearching = (term: number, phrase: Phrase): boolean => {
    const fitting = phrase.sources.filter((source) => (fits[source] ?? 0) > 0);
    const share = fitting.reduce((sum, source) => sum + (fits[source] ?? 0), 0) / total;
    const tooWide = share > (listed.has(term) ? WIDEST_LISTED : widest) && limits.count > 1;
    const tooLoose =
      phrase.stems.length === 1 && !listed.has(term) && phrase.freeCount < ALONE * phrase.plainCount;
    const needed = listed.has(term) ? 2 : limits.minSources;
    return fitting.length >= needed && !tooWide && !tooLoose;
  };
  const prepared = [...new Set([...candidates, ...listed])].flatMap((term) => {
    const phrase = space.phrases[term];
    if (phrase === undefined || !isWorthSearching(term, phrase)) return [];
    const repeats = repeatsQuestion(phrase, ownWords, heavyStems) ? WORTH_REPEATED : 1;
    const worth = worthOf(space, latent, fit, term) * preference(phrase) * repeats;
    return [{ term, phrase, worth: listed.has(term) ? WORTH_LISTED : worth }];
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
  const settled = settle(space, latent, themes, fit, limits);
  if (fit.broad) return settled;
  const telling = settled.filter((theme) => listed.has(theme.term) || namesItsOwn(space, theme));
  return telling.length === settled.length ? settled : settle(space, latent, telling, fit, limits);
}

/** Whether a good share of a theme's sources name what it is called by. */
function namesItsOwn(space: TermSpace, theme: Theme): boolean {
  const named = new Set(space.phrases[theme.term]?.sources);
  return theme.core.filter((source) => named.has(source)).length >= NAMED_SHARE * theme.core.length;
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
