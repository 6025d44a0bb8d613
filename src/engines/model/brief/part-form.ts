import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { createSectionMaterial } from '../section/section-material';
import type { TextForm } from '../section/writing';
import { openBriefBlocks } from './brief-blocks';

export const WRITING_TEMPERATURE = 0.2;

/** A part of a brief, as it is asked for and read. */
export const PART_FORM: TextForm<WriteBriefPartInput> = {
  noun: 'part',
  findingsOf: ({ findings }) => findings,
  wantedOf: ({ findings, part }) => findings.filter(({ id }) => part.findingIds.includes(id)),
  partOf(input, findings) {
    const ids = new Set(findings.map(({ id }) => id));
    const share = findings.length / Math.max(1, input.findings.length);
    return {
      ...input,
      findings,
      conflicts: input.conflicts.filter(({ findingIds }) => findingIds.some((id) => ids.has(id))),
      part: { ...input.part, words: Math.max(1, Math.round(input.part.words * share)) },
    };
  },
  wordsOf: ({ part }) => part.words,
  limitsOf: ({ part }) => ({
    temperature: WRITING_TEMPERATURE,
    maxOutputTokens: writingTokens(part.words, MAX_OUTPUT_TOKENS.writeBriefPart),
  }),
  materialOf: (input, echoes) =>
    createSectionMaterial(input, [input.plan.title, input.part.title], echoes, 'brief'),
  readerOf: (_input, material) =>
    openBriefBlocks(material, { heading: () => undefined, partOf: () => undefined }, 'a part of a brief'),
};
