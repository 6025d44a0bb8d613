import { withinSentence } from '../writing/within-sentence';

/** The theme of an outline that has no section. */
export const NOTHING_ANSWERS = 'No sentence of the sources is likely to answer the question.';

/** What an outline is about in general, where nothing else says it of all of it. */
export function themeOfTitles(titles: readonly string[]): string {
  return `The sources deal with ${titles.join('; ')}.`;
}

/** What a section is about, where nothing but its title says it. */
export function descriptionOf(title: string): string {
  return `What the sources say on ${withinSentence(title)}.`;
}
