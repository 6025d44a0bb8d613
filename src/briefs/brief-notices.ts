import { briefTexts } from '../texts/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import { inert } from '../core/writing/quotation';
import { claimsLine } from '../core/report/claims-line';
import type { Brief } from '../contracts/brief/brief';
import { judgeNotice } from '../core/judge/judge-notice';
import type { BriefAsides } from './brief-asides';
import type { BriefParts } from './brief-parts';

/** What the reader has to know first, a sentence each, in Markdown. */
export function briefNotices(
  { endedEarly, shortfalls, material, judge }: BriefParts,
  missing: string | null,
  audit: Brief['audit'],
  { ofText, listed }: BriefAsides,
  titleOf: (partId: string) => string,
): string[] {
  const sources = material?.sources ?? [];
  const inFull = sources.filter(({ contentRef }) => contentRef !== null).length;
  return [
    ...[endedEarly, ...shortfalls, missing].flatMap((told) => (told === null ? [] : [inert(told)])),
    claimsLine(
      audit,
      ofText.map((claim) => ({
        fate: listed.includes(claim) ? claim.action : 'removed',
        part: titleOf(claim.sectionId),
      })),
      { bearing: inFull === 0 ? 'statements' : 'passages' },
    ),
    ...textsGiven(sources.length, inFull, material?.setAside.length ?? 0),
    ...(judge === null ? [] : [judgeNotice(judge) ?? []].flat()),
  ];
}

/** What was checked against the summaries alone, and what of these does not stand. */
function textsGiven(
  sources: number,
  inFull: number,
  setAside: BriefMaterial['setAside']['length'],
): string[] {
  const given = inFull === 0 ? briefTexts.noTexts(sources) : briefTexts.someTexts(inFull, sources);
  return [
    ...(sources === inFull ? [] : [given]),
    ...(setAside === 0 ? [] : [briefTexts.summariesSetAside(setAside)]),
  ];
}
