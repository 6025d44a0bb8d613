import { writingTexts } from '../../texts/writing';
import type { Finding } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { escapeMarkdown, stripUnsafe } from '../text/untrusted-text';
import { citedBeforeStop } from '../text/cited-before-stop';
import { withCitationsOf, withRemark } from './sentence-wording';
import type { Wording } from './settle-text';

/**
 * How sentences on the statements of summaries are worded once it is known whether they stand: a statement's own words are the
 * statement as it was given, and no sentence says how sure it is, because a summary does not.
 */
export function statementWording(findings: readonly Finding[]): Wording {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return {
    confirmed({ text }, { verdict, sourceIds }) {
      const cited = withCitationsOf(text, sourceIds);
      return verdict.verdict === 'inference' ? withRemark(cited, writingTexts.inference) : cited;
    },
    ownWords(findingId) {
      const finding = byId.get(findingId);
      return finding === undefined ? null : { text: statementText(finding), verdict: wordForWord(finding) };
    },
    findingsOf: (sourceId) =>
      findings.filter(({ citations }) => citations.includes(sourceId)).map(({ id }) => id),
  };
}

/** A statement word for word, with its citations before the stop. */
export function statementText({ claim, citations }: Pick<Finding, 'claim' | 'citations'>): string {
  return citedBeforeStop(stripUnsafe(claim).replace(/\s+/g, ' ').trim(), citations, escapeMarkdown);
}

function wordForWord({ evidence }: Finding): ClaimVerdict | null {
  const [first] = evidence;
  if (first === undefined) return null;
  const reason = 'The claim is a statement of the summaries word for word.';
  return { verdict: 'supported', code: 'same-words', reason, evidence: first, probability: null };
}
