import type { SectionDraft } from '../../../contracts/report/draft';
import { citationMark } from '../../../core/text/citation-marks';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';

/** The findings of a part in their own words, with their citations. */
export function writeBriefPartExtractively({ part, findings }: WriteBriefPartInput): SectionDraft {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const claims = part.findingIds.flatMap((id) => {
    const finding = byId.get(id);
    if (finding === undefined) return [];
    const stop = /[.!?]$/.exec(finding.claim)?.[0] ?? '.';
    const text = `${finding.claim.replace(/[.!?]$/, '')} ${citationMark(finding.citations)}${stop}`;
    return [{ text, findingIds: [id] }];
  });
  return { markdown: claims.map(({ text }) => text).join(' '), claims };
}
