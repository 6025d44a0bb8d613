import { FITTING } from './fitting';
import { type LatentSpace, nearness, unitVector } from './latent-space';
import type { QuestionFit } from './question-fit';
import type { TermSpace } from './term-space';
import type { Theme, ThemeLimits } from './theme';

const SETTLING_ROUNDS = 3;

/** The theme that grows from a term: its centre is where the sources are that name it. */
export function themeOf(space: TermSpace, latent: LatentSpace, fit: QuestionFit, term: number): Theme {
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
export function settle(
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
