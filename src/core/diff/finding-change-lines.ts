import type { FindingChange } from '../contracts/report-diff';
import { inert, quotation } from '../writing/quotation';
import { differingParts } from './differing-part';
import { sourceList, titleText } from './diff-text';

const NOTHING = 'none';

/** One change of a finding, before → after, as nested list items. */
export function changeLines(change: FindingChange): string {
  return linesOf(change)
    .map((line) => `  - ${line}`)
    .join('\n');
}

function linesOf(change: FindingChange): string[] {
  switch (change.kind) {
    case 'wording': {
      const { before, after } = differingParts(change.before, change.after);
      return [`Wording: ${inert(before)} → ${inert(after)}`];
    }
    case 'quote': {
      const { before, after } = differingParts(change.before, change.after);
      return [`Quote from ${titleText(change.source)}: ${quotation(before)} → ${quotation(after)}`];
    }
    case 'figures':
      return [
        `Figures: ${change.figures
          .map(({ before, after }) => `${inert(before ?? NOTHING)} → ${inert(after ?? NOTHING)}`)
          .join('; ')}`,
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
      return [
        ...(change.added.length === 0 ? [] : [`Sources added: ${sourceList(change.added)}`]),
        ...(change.removed.length === 0 ? [] : [`Sources removed: ${sourceList(change.removed)}`]),
      ];
    case 'section':
      return [`Section: ${titleText(change.before)} → ${titleText(change.after)}`];
  }
}
