import { ENGLISH } from '../texts/texts';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import { inert } from '../core/writing/quotation';
import { count } from '../core/writing/count';
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
      { texts: ENGLISH, bearing: inFull === 0 ? 'statements' : 'passages' },
    ),
    ...textsGiven(sources.length, inFull, material?.setAside.length ?? 0),
    ...(judge === null ? [] : [judgeNotice(judge, ENGLISH) ?? []].flat()),
  ];
}

/** What was checked against the summaries alone, and what of these does not stand. */
function textsGiven(
  sources: number,
  inFull: number,
  setAside: BriefMaterial['setAside']['length'],
): string[] {
  const given =
    inFull === 0
      ? `No text of ${sources === 1 ? 'the one source' : `the ${count(sources, 'source')}`} was given: every claim is checked against the summaries alone.`
      : `The texts of ${inFull} of ${count(sources, 'source')} were given; what rests on the others is checked against the summaries alone.`;
  const refuted = `${count(setAside, 'sentence')} of the summaries ${setAside === 1 ? 'is' : 'are'} set aside, because the sources do not bear ${setAside === 1 ? 'it' : 'them'}.`;
  return [...(sources === inFull ? [] : [given]), ...(setAside === 0 ? [] : [refuted])];
}
