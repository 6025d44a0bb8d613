import type { FindingChange } from '../contracts/report/report-diff';
import { inert, quotation } from '../core/writing/quotation';
import { differingParts } from './differing-part';
import { sourceChangeLines, titleText } from './diff-text';
import { differOnlyInFigures } from './figures';

const NOTHING = 'none';

/** The changes of a finding that rests on so many sources, before → after, as nested list items. */
export function changeLines(changes: readonly FindingChange[], sources: number): string[] {
  const hasFigures = changes.some(({ kind }) => kind === 'figures');
  return changes
    .filter((change) => !(hasFigures && isOnlyFigures(change)))
    .flatMap((change) => linesOf(change, sources))
    .map((line) => `  - ${line}`);
}

function isOnlyFigures(change: FindingChange): boolean {
  return (
    (change.kind === 'quote' || change.kind === 'wording') && differOnlyInFigures(change.before, change.after)
  );
}

function linesOf(change: FindingChange, sources: number): string[] {
  switch (change.kind) {
    case 'wording': {
      const { before, after } = differingParts(change.before, change.after);
      return [inert(`Wording: ${before} → ${after}`)];
    }
    case 'quote': {
      const { before, after } = differingParts(change.before, change.after);
      const whose = sources === 1 ? 'Quote' : `Quote from ${titleText(change.source)}`;
      return [`${whose}: ${quotation(before)} → ${quotation(after)}`];
    }
    case 'figures':
      return [
        inert(
          `Figures: ${change.figures.map(({ before, after }) => `${before ?? NOTHING} → ${after ?? NOTHING}`).join('; ')}`,
        ),
      ];
    case 'direction':
      return [
        change.before === null || change.after === null
          ? 'Direction: it now says the opposite'
          : `Direction: ${change.before} → ${change.after}`,
      ];
    case 'confidence':
      return [
        `Confidence: ${change.before.word} (${change.before.value.toFixed(2)}) → ${change.after.word} (${change.after.value.toFixed(2)})`,
      ];
    case 'verdict':
      return [`Verdict: ${change.before} → ${change.after}`];
    case 'sources':
      return sourceChangeLines(change);
    case 'section':
      return [`Section: ${titleText(change.before)} → ${titleText(change.after)}`];
  }
}
