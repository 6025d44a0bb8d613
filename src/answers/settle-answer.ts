import { writingTexts } from '../texts/writing';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import type { SetAsideClaim } from '../contracts/verification/critique';
import { withCitationsOf, withRemark } from '../core/settled-text/sentence-wording';
import { citedIds } from '../core/text/citation-marks';
import { stands } from '../core/settled-text/stands';
import { blocksOf, withoutEmptyBlocks, type Settled } from '../core/settled-text/text-blocks';

/**
 * The draft in which only what is supported, or follows, stands, with its verdicts, by the places of its sentences: a claim that
 * is neither is taken out of the text and set aside. Pure.
 */
export function settleAnswer(draft: AnswerDraft, verdicts: ReadonlyMap<number, ClaimVerdict>): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const settled = draft.sentences.map((sentence, at): Settled<AnswerSentence> => {
    const verdict = verdicts.get(at);
    if (verdict === undefined) return { sentences: [sentence], mark: null };
    if (stands(verdict)) return { sentences: [confirmed(sentence, verdict)], mark: null };
    const { plain, text, passageIds: sourceIds } = sentence;
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

function confirmed(sentence: AnswerSentence, verdict: ClaimVerdict): AnswerSentence {
  const passageIds = sentence.passageIds.filter((id) => verdict.notBorneBy?.includes(id) !== true);
  const cited = withCitationsOf(sentence.text, passageIds);
  const isMarked = verdict.verdict === 'inference' && citedIds(cited).length > 0;
  const text = isMarked ? withRemark(cited, writingTexts.inference) : cited;
  return { ...sentence, text, passageIds, verdict };
}
