import {
  ANSWER_TEXT,
  type AnswerDraft,
  type AnswerSentence,
  type TextStatement,
  type WrittenText,
} from '../contracts/draft';
import type { ClaimVerdict, SetAsideClaim } from '../contracts/finding';
import { writingTexts } from '../contracts/wording';
import { stands } from '../evidence/decide-statement';
import { editText, type TextEdit } from '../evidence/written-text';

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

const NOT_CONFIRMED: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell, and no critic confirmed it.',
  evidence: null,
  probability: null,
};

/**
 * An answer as a text of one part, whose statements are the sentences in order, `T1` and so on. Pure.
 */
export function textOfDraft(draft: AnswerDraft, question: string): WrittenText {
  return {
    title: question,
    parts: [{ id: ANSWER_TEXT, title: question, markdown: draft.markdown }],
    statements: draft.sentences.map(statementOf),
    notes: draft.notes ?? [],
    changes: [],
    removed: [],
    isChecked: draft.sentences.some(({ verdict }) => verdict !== undefined),
  };
}

function statementOf(
  { text, plain, passageIds, verdict, ...found }: AnswerSentence,
  at: number,
): TextStatement {
  return {
    id: `T${at + 1}`,
    partId: ANSWER_TEXT,
    text,
    plain: plain === '' ? text : plain,
    sourceIds: passageIds,
    verdict: verdict ?? null,
    ...found,
  };
}

/** The draft with what an audit found of its claims. Pure. */
export function auditedDraft(draft: AnswerDraft, { statements, notes }: WrittenText): AnswerDraft {
  const sentences = draft.sentences.map((sentence, at): AnswerSentence => {
    const { verdict, severity, fault } = statements[at] ?? {};
    // The ids are of passages, and another passage of the same source may bear the claim.
    const { notBorneBy: _passages, ...found } = verdict ?? NOT_CONFIRMED;
    return {
      ...sentence,
      verdict: found,
      ...(severity === undefined ? {} : { severity }),
      ...(fault === undefined ? {} : { fault }),
    };
  });
  return { ...draft, sentences, notes };
}

/**
 * The draft with the edited text. A new sentence has no verdict. One that cites nothing rests on the passages of the sentence that it
 * replaces. Pure.
 */
export function mendedDraft(draft: AnswerDraft, before: WrittenText, after: WrittenText): AnswerDraft {
  const { notes: _notes, ...rest } = draft;
  const known = new Map(before.statements.map((statement, at) => [statement, draft.sentences[at]]));
  const byId = new Map(before.statements.map(({ id }, at) => [id, draft.sentences[at]]));
  const sentences = after.statements.map((statement): AnswerSentence => {
    const kept = known.get(statement);
    if (kept !== undefined) return kept;
    const { id, text, plain, sourceIds } = statement;
    const replaced = byId.get(id.replace(/\.\d+$/, ''));
    const passageIds = sourceIds.length > 0 ? sourceIds : (replaced?.passageIds ?? []);
    return { text, plain, passageIds };
  });
  return { ...rest, markdown: after.parts[0]?.markdown ?? '', sentences };
}

/**
 * The later of two audited texts where less of it was set aside, as a share of its claims, or as much and no more is missing: it was
 * written with all that the earlier one had, and told what was wrong with that, or from more. Else the earlier. How many claims a
 * text makes is a merit only where some of both were set aside.
 */
export function betterAnswer(earlier: AnswerDraft, later: AnswerDraft): AnswerDraft {
  const [before, now] = [supportedIn(earlier), supportedIn(later)];
  if (before === 0 || now === 0) return now > before ? later : earlier;
  const [asideBefore, asideNow] = [shareAside(earlier), shareAside(later)];
  if (asideBefore !== asideNow) return asideNow < asideBefore ? later : earlier;
  if (earlier.missing === null && later.missing !== null) return earlier;
  return asideNow === 0 || now >= before ? later : earlier;
}

function shareAside({ setAside, ...draft }: AnswerDraft): number {
  return setAside.length / (setAside.length + supportedIn({ setAside, ...draft }));
}

export function supportedIn({ sentences }: AnswerDraft): number {
  return sentences.filter(({ verdict }) => verdict !== undefined && stands(verdict)).length;
}
