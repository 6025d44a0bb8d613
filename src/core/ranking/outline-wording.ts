import { withinSentence } from '../writing/within-sentence';

export const NOTHING_ANSWERS = 'No sentence of the sources is likely to answer the question.';

export function themeOfTitles(titles: readonly string[]): string {
  return `The sources deal with ${titles.join('; ')}.`;
}

export function descriptionOf(title: string): string {
  return `What the sources say on ${withinSentence(title)}.`;
}
