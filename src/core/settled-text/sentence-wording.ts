import { citationMark, citedIds, replaceMarks } from '../text/citation-marks';
import type { Finding } from '../../contracts/report/finding';
import { quotedVerdict } from './quoted-verdict';
import { type Attributable } from '../writing/attribution';
import { ownWords } from '../writing/own-words';
import type { Wording } from './settle-text';

/** How sentences on these findings are worded once it is known whether they stand. */
export function sentenceWording(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
): Wording {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const given = (ids: readonly string[]): Finding[] => ids.flatMap((id) => byId.get(id) ?? []);
  return {
    confirmed({ text }, { findingIds, sourceIds }) {
      const resting = given(findingIds);
      const borne = new Set([...sourceIds, ...resting.flatMap(({ citations }) => citations)]);
      const cites = citedIds(text).some((id) => borne.has(id));
      if (!cites) return text;
      return replaceMarks(text, (ids) => {
        const kept = ids.filter((id) => borne.has(id));
        return kept.length === 0 ? '' : citationMark(kept);
      }).replace(/\s+(?=[.,;:!?)])/g, '');
    },
    ownWords(findingId) {
      const finding = byId.get(findingId);
      if (finding === undefined) return null;
      const text = ownWords(finding, sources);
      return { text, verdict: quotedVerdict(text, finding.evidence) };
    },
    findingsOf: (sourceId) =>
      findings
        .filter(({ evidence }) => evidence.some((one) => one.sourceId === sourceId))
        .map(({ id }) => id),
  };
}
