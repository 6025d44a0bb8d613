import type { ExtractFindingsInput } from '../../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../../steps/extract-findings/all-sections';

/** What a model is asked about: its words are not strange in a claim. */
export function askedWords(input: ExtractFindingsInput): string[] {
  const told = sectionsOf(input).flatMap(({ title, description, subsections }) => [
    title,
    description,
    ...subsections,
  ]);
  return [input.question, ...told];
}
