import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';

/** A text of more words is written section by section: what a model writes well in one go. */
export const WORDS_IN_ONE_CALL = 2_500;
/** A report has so many words to a character of its sources, beside its frame. */
const WORDS_A_CHAR = 1 / 25;
const FRAME_WORDS = 400;
export const SUMMARY_AND_LIMITS_WORDS = 600;

/** How many words a report by a model is to have. */
export function wordsOfReport(
  sources: readonly { contentChars: number }[],
  {
    maxCharsPerSource,
    targetReportLength,
  }: Pick<SynthesisSettings, 'maxCharsPerSource' | 'targetReportLength'>,
): number {
  const chars = sources.reduce((sum, { contentChars }) => sum + Math.min(contentChars, maxCharsPerSource), 0);
  return Math.min(targetReportLength, Math.round((FRAME_WORDS + chars * WORDS_A_CHAR) / 50) * 50);
}

/** How many words each of the sections has, where they are written one by one. */
export function wordsOfSection(words: number, sections: number): number {
  return Math.max(150, Math.round((words - SUMMARY_AND_LIMITS_WORDS) / sections / 10) * 10);
}
