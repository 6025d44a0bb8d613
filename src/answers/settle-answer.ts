import { writingTexts } from '../texts/writing';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { SetAsideClaim } from '../contracts/verification/critique';
import { stands } from '../core/settled-text/stands';
import { editText, type TextEdit } from '../core/written-text/edit-text';
import { textOfDraft } from './draft-text';

/**
 * The audited draft without the claims that are neither supported nor follow: they are taken out of the text and set aside. A
 * claim that was refused for its wording alone stands. Where nothing that cites a passage is left, nothing is. Pure; what is settled
 * comes back as it is.
 */
export function settleAnswer(draft: AnswerDraft): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const text = textOfDraft(draft, '');
  const edits = new Map<string, TextEdit>();
  for (const [at, sentence] of draft.sentences.entries()) {
    const { verdict, severity, plain, text: written, passageIds: sourceIds } = sentence;
    const statementId = text.statements[at]?.id ?? '';
    if (verdict === undefined || severity === 'wording') continue;
    if (stands(verdict)) edits.set(statementId, { statementId, text: confirmed(sentence), reason: '' });
    else {
      edits.set(statementId, { statementId, text: '', reason: '' });
      setAside.push({ ...verdict, text: plain === '' ? written : plain, sourceIds, action: 'left-out' });
    }
  }
  const sentences = draft.sentences.flatMap((sentence, at): AnswerSentence[] => {
    const written = edits.get(text.statements[at]?.id ?? '')?.text ?? sentence.text;
    return written === '' ? [] : [{ ...sentence, text: written }];
  });
  if (!sentences.some(({ passageIds }) => passageIds.length > 0))
    return { ...draft, markdown: '', sentences: [], setAside };
  const markdown = editText(text, [...edits.values()]).parts[0]?.markdown ?? '';
  return { ...draft, markdown, sentences, setAside };
}

/** What follows from its passages says so, once; not in a row of a table. */
function confirmed({ text, passageIds, verdict }: AnswerSentence): string {
  const remark = ` (${writingTexts.inference})`;
  const isTold = text.includes(remark) || text.startsWith('|') || passageIds.length === 0;
  return verdict?.verdict === 'inference' && !isTold
    ? text.replace(/[.!?]?$/, (stop) => `${remark}${stop || '.'}`)
    : text;
}
