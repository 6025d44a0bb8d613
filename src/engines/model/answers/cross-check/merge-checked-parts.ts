import { sentenceKey } from '../../../../core/duplicates/near-duplicate-sentences';
import type { CrossCheckInput, CrossCheckOutput } from '../../../../steps/cross-check/contract';
import { mergeCrossChecks } from '../../../../steps/cross-check/merge-cross-checks';

interface Part {
  input: CrossCheckInput;
  output: CrossCheckOutput;
}

/**
 * One output from those of parts of a call. What every part misses is a gap; a part alone cannot know what the others
 * have.
 */
export function mergeCheckedParts(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput {
  const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
  const outputs = parts.map(({ output }) => output);
  return { ...mergeCrossChecks(input, outputs, sources), gaps: sharedGaps(input, parts) };
}

function sharedGaps(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput['gaps'] {
  const sameSources = parts.every((part) => part.input.sources.length === input.sources.length);
  const gaps = new Map<string, { gap: CrossCheckOutput['gaps'][number]; parts: number }>();
  for (const { output } of parts) {
    for (const gap of output.gaps) {
      const key = sentenceKey(gap.question);
      gaps.set(key, { gap, parts: (gaps.get(key)?.parts ?? 0) + 1 });
    }
  }
  return [...gaps.values()]
    .filter((found) => sameSources || found.parts === parts.length)
    .map(({ gap }) => gap);
}
