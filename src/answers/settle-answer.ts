import { writingTexts } from '../texts/writing';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { SetAsideClaim } from '../contracts/verification/critique';
import { withRemark } from '../core/settled-text/sentence-wording';
import { citedIds } from '../core/text/citation-marks';
import { stands } from '../core/settled-text/stands';
import { blocksOf, withoutEmptyBlocks, type Settled } from '../core/settled-text/text-blocks';

/**
 * The audited draft without the claims that are neither supported nor follow: they are taken out of the text and set aside. A
 * claim that was refused for its wording alone stands. Pure; what is settled comes back as it is.
 */
export function settleAnswer(draft: AnswerDraft): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const settled = draft.sentences.map((sentence): Settled<AnswerSentence> => {
    const { verdict, severity, plain, text, passageIds: sourceIds } = sentence;
    if (verdict === undefined || severity === 'wording') return { sentences: [sentence], mark: null };
    if (stands(verdict)) return { sentences: [confirmed(sentence)], mark: null };
    setAside.push({ ...verdict, text: plain === '' ? text : plain, sourceIds, action: 'left-out' });
    return { sentences: [], mark: null };
  });
  const { markdown, sentences } = withoutEmptyBlocks(blocksOf(draft.markdown, draft.sentences, settled));
  // An opening sentence cites nothing, and stands only above sentences that do.
  const isCited = sentences.some(({ text }) => citedIds(text).length > 0);
  if (isCited) return { ...draft, markdown, sentences, setAside };
  const uncited = [...draft.uncited, ...sentences.map(({ plain }) => plain)];
  return { ...draft, markdown: '', sentences: [], uncited, setAside };
}

/** What follows from its passages says so, once. */
function confirmed(sentence: AnswerSentence): AnswerSentence {
  const { text, verdict } = sentence;
  const isMarked = text.includes(`(${writingTexts.inference})`);
  return verdict?.verdict === 'inference' && citedIds(text).length > 0 && !isMarked
    ? { ...sentence, text: withRemark(text, writingTexts.inference) }
    : sentence;
}
