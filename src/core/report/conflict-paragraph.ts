import { writingTexts } from '../../texts/writing';
import { citationMark, citedIds } from '../text/citation-marks';
import type { DraftClaim, SectionDraft } from '../../contracts/report/draft';
import type { Conflict, Finding, Viewpoint } from '../../contracts/report/finding';
import { conflictReason } from '../evidence/conflict-reason';
import { favouredView } from '../evidence/favoured-view';
import { type Attributable, attributionOf } from '../writing/attribution';
import { evidenceQuotation } from '../writing/lead-in';
import { inert, quotedIfVerbatim } from '../writing/quotation';
import { shorten } from '../writing/shorten';
import { capitalised } from '../writing/within-sentence';

const VIEWPOINT_WORDS = 60;
const TOLD_WORDS = 12;
const shownBy = (topic: string): string[] => [
  `On ${topic}, one side denies what the other says.`,
  `On ${topic}, one side reports an effect or a difference, the other none.`,
  `On ${topic}, the sides report opposite effects.`,
];

/**
 * `**Topic.** Doe (2005) reports “X” [@a], while Roe (2010) reports “Y” [@b].` Why they may differ, and what follows. More
 * than two views follow one another: `…, while B reports …, and C reports …`. What `isTold` elsewhere, in quotation marks, is shorter.
 */
export function conflictParagraph(
  conflict: Conflict,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean = () => false,
): string {
  const views = writingTexts.views(
    conflict.viewpoints.map((viewpoint) => viewOf(viewpoint, sources, isTold)),
  );
  const topic = inert(conflict.topic).replace(/\.$/, '');
  const reason = inert(conflictReason(withoutShown(conflict)));
  const parts = [`**${capitalised(topic)}.** ${views}`, reason, resolutionText(conflict, sources)];
  return parts.filter((part) => part !== '').join(' ');
}

/** True if one paragraph or list item of a section states every side of a conflict, each by a claim that rests on its evidence. */
export function isToldIn(
  { markdown, claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  return markdown.split(/\n{2,}|\n(?=\s*(?:[-*|]|\d+\.)\s)/).some((block) => {
    const own = claims.filter(({ text }) => block.includes(text));
    return viewpoints.every((viewpoint) => own.some((claim) => restsOn(claim, viewpoint, findings)));
  });
}

/**
 * True if a part of a whole text, whose writer knew of the conflict, tells of it: it cites every side, and all but one by a claim
 * that rests on the side's evidence.
 */
export function isToldInPart(
  { claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  const cited = new Set(claims.flatMap(({ text }) => citedIds(text)));
  const stated = viewpoints.filter((viewpoint) =>
    claims.some((claim) => restsOn(claim, viewpoint, findings)),
  );
  return (
    viewpoints.every(({ citations }) => citations.some((id) => cited.has(id))) &&
    stated.length >= viewpoints.length - 1
  );
}

function restsOn(
  { text, findingIds, verdict }: DraftClaim,
  viewpoint: Viewpoint,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  const cited = citedIds(text);
  const evidence = [
    ...findingIds.flatMap((id) => findings.get(id)?.evidence ?? []),
    ...(verdict?.evidence ? [verdict.evidence] : []),
    ...(verdict?.quotes ?? []),
  ].filter(({ sourceId }) => cited.includes(sourceId));
  return isOn(viewpoint, evidence) || isOn(viewpoint, quotedIn(text, viewpoint));
}

function withoutShown({ topic, reason, ...conflict }: Conflict): Pick<Conflict, 'reason' | 'isInferred'> {
  const shown = shownBy(topic).find((told) => reason.startsWith(told)) ?? '';
  return { ...conflict, reason: reason.slice(shown.length).trim() };
}

function viewOf(
  viewpoint: Viewpoint,
  sources: ReadonlyMap<string, Attributable>,
  isTold: (quotation: string) => boolean,
): { who: string; areMany: boolean; what: string } {
  const first = leadingSource(viewpoint);
  const { subject, plural } = attributionOf(sources.get(first) ?? { title: first });
  const others = new Set(viewpoint.citations.filter((id) => id !== first)).size;
  const who = inert(subject);
  const statement = quotedIfVerbatim(viewpoint.statement, viewpoint.evidence, (text) =>
    shorten(text, isTold(evidenceQuotation(text)) ? TOLD_WORDS : VIEWPOINT_WORDS),
  );
  const cited = citationMark([...new Set([first, ...viewpoint.citations])]);
  return {
    who: others === 0 ? who : writingTexts.withMore(who, others),
    areMany: plural || others > 0,
    what: `${statement} ${cited}`,
  };
}

function leadingSource(viewpoint: Viewpoint): string {
  return viewpoint.evidence[0]?.sourceId ?? viewpoint.citations[0] ?? '';
}

function resolutionText(
  { resolution, viewpoints }: Conflict,
  sources: ReadonlyMap<string, Attributable>,
): string {
  const favoured = favouredView(resolution);
  const view = favoured === null ? undefined : viewpoints[favoured];
  if (favoured === null || view === undefined) return '';
  const first = leadingSource(view);
  const { subject } = attributionOf(sources.get(first) ?? { title: first });
  return writingTexts.favoured(favoured, inert(subject));
}

function isOn({ evidence }: Viewpoint, others: Viewpoint['evidence']): boolean {
  return evidence.some((one) =>
    others.some((other) => one.sourceId === other.sourceId && one.start < other.end && other.start < one.end),
  );
}

/** The other side of a row of quotes rests on no finding of that row. */
function quotedIn(text: string, { evidence }: Viewpoint): Viewpoint['evidence'] {
  const cited = citedIds(text);
  return evidence.filter(({ sourceId, quote }) => cited.includes(sourceId) && text.includes(quote));
}
