import type { SectionDraft } from '../../contracts/report/draft';
import type { Conflict, Finding, Viewpoint } from '../../contracts/report/finding';
import { citedIds } from '../text/citation-marks';

/** True if one paragraph or list item of a section states every side of a conflict, each by a claim that rests on its evidence. */
export function isToldIn(
  { markdown, claims }: SectionDraft,
  { viewpoints }: Pick<Conflict, 'viewpoints'>,
  findings: ReadonlyMap<string, Finding>,
): boolean {
  return markdown.split(/\n{2,}|\n(?=\s*(?:[-*|]|\d+\.)\s)/).some((block) => {
    const own = claims.filter(({ text }) => block.includes(text));
    return viewpoints.every((viewpoint) =>
      own.some(({ text, findingIds, verdict }) => {
        const cited = citedIds(text);
        const evidence = [
          ...findingIds.flatMap((id) => findings.get(id)?.evidence ?? []),
          ...(verdict?.evidence ? [verdict.evidence] : []),
          ...(verdict?.quotes ?? []),
        ].filter(({ sourceId }) => cited.includes(sourceId));
        return isOn(viewpoint, evidence) || isOn(viewpoint, quotedIn(text, viewpoint));
      }),
    );
  });
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
