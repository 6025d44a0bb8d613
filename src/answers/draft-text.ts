import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { TextStatement, WrittenText } from '../contracts/report/written-text';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { ANSWER_TEXT } from '../core/settled-text/answer-text';

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
