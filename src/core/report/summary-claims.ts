import { reportTexts } from '../../texts/report';
import type { ReportFrame, SectionDraft } from '../../contracts/report/draft';
import type { Report } from '../../contracts/report/report';
import { frameText } from '../settled-text/frame-text';
import { draftOf } from '../settled-text/settle-text';
import type { RenderedClaim } from './render-claims';
import { SUMMARY } from './summary-part';

/** The bullets as one text, with the claims that stand in it. */
export function summaryDraft(frame: ReportFrame | null): SectionDraft {
  if (frame === null) return { markdown: '', claims: [] };
  const { markdown, claims } = draftOf(frameText(frame));
  return { markdown, claims: frame.claims ?? claims };
}

/**
 * The sentences of an Executive Summary that a model wrote, with what their audit found, where they stand in the whole report:
 * without the remark on their confidence that may stand before their full stop there. What only quotes has its claims in the sections.
 */
export function summaryClaims(
  markdown: string,
  frame: ReportFrame | null,
  written: readonly RenderedClaim[],
): Pick<Report, 'summaryClaims'> {
  if (frame?.checked === undefined) return {};
  let from = Math.max(0, markdown.indexOf(`\n## ${reportTexts.headings.summary}\n`));
  const claims = written.flatMap(({ claim }, at) => {
    const words = claim.text.replace(/[.!?]$/, '');
    const start = markdown.indexOf(words, from);
    if (start < 0 || claim.citations.length === 0) return [];
    from = start + (markdown.startsWith(claim.text, start) ? claim.text : words).length;
    const text = markdown.slice(start, from);
    return [{ ...claim, id: `summary-${at + 1}`, sectionId: SUMMARY, text, start, end: from }];
  });
  return { summaryClaims: claims };
}
