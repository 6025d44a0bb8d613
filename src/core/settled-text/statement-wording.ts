import type { Finding } from '../../contracts/report/finding';
import { citationMark } from '../text/citation-marks';
import type { Wording } from './settle-text';
import { withCitationsOf } from './with-citations-of';

/**
 * How sentences on statements of summaries are worded once it is known whether they stand: no remarks on confidence, of which
 * summaries say nothing; and a statement in its own words is the sentence of its summary, word for word.
 */
export function statementWording(findings: readonly Finding[]): Wording {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return {
    confirmed({ text }, { findingIds, sourceIds }) {
      const resting = findingIds.flatMap((id) => byId.get(id)?.citations ?? []);
      return withCitationsOf(text, new Set([...sourceIds, ...resting]));
    },
    ownWords(findingId) {
      const finding = byId.get(findingId);
      if (finding === undefined) return null;
      const { claim, citations, evidence } = finding;
      const stop = /[.!?]$/.exec(claim)?.[0] ?? '.';
      return {
        text: `${claim.replace(/[.!?]$/, '')} ${citationMark(citations)}${stop}`,
        verdict: {
          ...{ verdict: 'supported', code: 'same-words', probability: null },
          reason: 'The sentence is that of its summary, word for word.',
          evidence: evidence[0] ?? null,
        },
      };
    },
    findingsOf: (sourceId) =>
      findings.filter(({ citations }) => citations.includes(sourceId)).map(({ id }) => id),
  };
}
