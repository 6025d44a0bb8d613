import type { Heading, Naming } from './headings';
import type { QuestionFit } from './question-fit';
import type { Theme } from './theme';

/** Sources below this relevance are not listed, and at most so many are. */
const LEAST_RELEVANCE = 0.3;
export const MOST_LISTED = 120;
/** From this relevance a source counts as one of the section's own. */
export const OWN_RELEVANCE = 0.5;
/** From this fit on a source answers a broad question in its own words. */
const ANSWERS = 0.75;

/** The sources of a theme, best first, with how much each has to say to it and to the question, 0–1. */
export function relevances(
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

/** Sections that answer the question best come first; among equals the larger. */
export function weightOf(theme: Theme, fit: QuestionFit): number {
  const best = theme.core.slice(0, 10).map((source) => fit.fit[source] ?? 0);
  const mean = best.reduce((sum, value) => sum + value, 0) / (best.length || 1);
  return mean * mean * Math.log2(2 + theme.core.length);
}
