import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { ClaimMaterial } from './claim-material';
import { judgeSentence } from './judge-sentence';

/** A claim against the passages that it cites. Pure. */
export function verifyClaim(claim: string, { cited, attribution }: ClaimMaterial): ClaimVerdict {
  const passages = cited.map(({ text }) => text);
  const judgement = judgeSentence(claim, { passages, attribution, numbersFrom: [] });
  const found = { evidence: null, probability: null };
  if (judgement.verdict === 'close') {
    return {
      ...found,
      verdict: 'supported',
      code: 'same-words',
      reason: 'It keeps to the words of what it cites.',
    };
  }
  if (judgement.verdict === 'certainly-wrong') {
    return { ...found, verdict: 'unsupported', code: 'number-absent', reason: judgement.reason };
  }
  return { ...found, verdict: 'unchecked', code: 'open', reason: 'Words alone cannot tell.' };
}
