import { MAX_OUTPUT_TOKENS, writingTokens } from '../../../core/budget/call-estimates';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { createFindingsMaterial } from '../text/findings-material';
import type { TextForm } from '../text/writing';
import { openBriefBlocks } from './brief-blocks';
import { titledPart } from './brief-headings';

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
  outputTokensOf: ({ part }) => writingTokens(part.words, MAX_OUTPUT_TOKENS.writeBriefPart),
  materialOf: (input) => createFindingsMaterial(input, [input.plan.title, input.part.title], 'brief'),
  readerOf({ part }, material) {
    const lines = {
      isTitle: (text: string) => titledPart(text, [part]) !== null,
      heading: () => undefined,
      partOf: () => undefined,
    };
    return openBriefBlocks(material, lines, 'a part of a brief');
  },
};
