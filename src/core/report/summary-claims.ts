import type { ReportClaim } from '../../contracts/report/report';
import { OWN_CHAPTERS } from './own-chapters';
import type { RenderedClaim } from './render-claims';
import { SUMMARY } from './summary-part';

/**
 * The sentences of an Executive Summary that a model wrote, with what their audit found, where they stand in the whole report:
 * without the remark on their confidence that may stand before their full stop there.
 */
export function summaryClaims(markdown: string, written: readonly RenderedClaim[]): ReportClaim[] {
  let from = Math.max(0, markdown.indexOf(`\n## ${OWN_CHAPTERS.summary}\n`));
  return written.flatMap(({ claim }, at) => {
    const words = claim.text.replace(/[.!?]$/, '');
    const start = markdown.indexOf(words, from);
    if (start < 0 || claim.citations.length === 0) return [];
    from = start + (markdown.startsWith(claim.text, start) ? claim.text : words).length;
    const text = markdown.slice(start, from);
    return [{ ...claim, id: `summary-${at + 1}`, sectionId: SUMMARY, text, start, end: from }];
  });
}
