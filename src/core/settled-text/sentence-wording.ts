import { citationMark, replaceMarks } from '../text/citation-marks';
import type { Finding } from '../../contracts/report/finding';
import { quotedVerdict } from './quoted-verdict';
import { type Attributable } from '../writing/attribution';
import { claimSentence } from '../writing/claim-sentence';
import type { Wording } from './settle-text';

export function sentenceWording(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
): Wording {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return {
    confirmed: ({ text }, { sourceIds }) => withCitationsOf(text, sourceIds),
    ownWords(findingId) {
      const finding = byId.get(findingId);
      if (finding === undefined) return null;
      const text = claimSentence(finding, sources);
      return { text, verdict: quotedVerdict(text, finding.evidence) };
    },
    findingsOf: (sourceId) =>
      findings
        .filter(({ evidence }) => evidence.some((one) => one.sourceId === sourceId))
        .map(({ id }) => id),
  };
}

/** A sentence that cites of what it cites only these. */
export function withCitationsOf(text: string, sourceIds: readonly string[]): string {
  const cited = replaceMarks(text, (ids) => {
    const kept = ids.filter((id) => sourceIds.includes(id));
    return kept.length === 0 ? '' : citationMark(kept);
  });
  return cited === text ? text : cited.replace(/\s+(?=[.,;:!?)])/g, '');
}

/** Before the full stop: `… by 12 % [@a] (inference).` */
export function withRemark(sentence: string, remark: string): string {
  const stop = /[.!?]?$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - stop.length)} (${remark})${stop || '.'}`;
}
