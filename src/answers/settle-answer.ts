import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { SetAsideClaim } from '../contracts/verification/critique';
import { blocksOf, withoutEmptyBlocks, type Settled } from '../core/settled-text/text-blocks';

/**
 * The draft in which only what is supported stands, with its verdicts, by the places of its sentences: a claim that is not is
 * taken out of the text and set aside. Pure.
 */
export function settleAnswer(draft: AnswerDraft, verdicts: ReadonlyMap<number, ClaimVerdict>): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const settled = draft.sentences.map((sentence, at): Settled<AnswerSentence> => {
    const verdict = verdicts.get(at);
    if (verdict === undefined) return { sentences: [sentence], mark: null };
    if (verdict.verdict === 'supported') return { sentences: [{ ...sentence, verdict }], mark: null };
    const { plain, text, passageIds: sourceIds } = sentence;
    setAside.push({ ...verdict, text: plain === '' ? text : plain, sourceIds, action: 'left-out' });
    return { sentences: [], mark: null };
  });
  return { ...draft, ...withoutEmptyBlocks(blocksOf(draft.markdown, draft.sentences, settled)), setAside };
}
