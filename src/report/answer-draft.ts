import {
  ANSWER_SECTION,
  type AnswerDraft,
  type AnswerSentence,
  type TextStatement,
  type WrittenText,
} from '../contracts/draft';
import type { ClaimVerdict, SetAsideClaim } from '../contracts/finding';
import { writingTexts } from '../contracts/wording';
import { isSupported } from '../evidence/decide-statement';
import { editText, type TextEdit } from '../evidence/written-text';

/** Moves claims that are neither supported nor inferred to `setAside`; claims refused for wording alone stay. Idempotent. */
export function finalizeAnswer(draft: AnswerDraft): AnswerDraft {
  const setAside: SetAsideClaim[] = [...draft.setAside];
  const text = draftAsText(draft, '');
  const edits = new Map<string, TextEdit>();
  for (const [at, sentence] of draft.sentences.entries()) {
    const { verdict, severity, plain, text: written, passageIds: sourceIds } = sentence;
    const statementId = text.statements[at]?.id ?? '';
    if (verdict === undefined || severity === 'wording') continue;
    if (isSupported(verdict))
      edits.set(statementId, { statementId, text: withInferenceRemark(sentence), reason: '' });
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

/** Adds the inference remark once; not in a table row. */
function withInferenceRemark({ text, passageIds, verdict }: AnswerSentence): string {
  const remark = ` (${writingTexts.inference})`;
  const isTold = text.includes(remark) || text.startsWith('|') || passageIds.length === 0;
  return verdict?.verdict === 'inference' && !isTold
    ? text.replace(/[.!?]?$/, (stop) => `${remark}${stop || '.'}`)
    : text;
}

const UNCONFIRMED_VERDICT: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell, and no critic confirmed it.',
  evidence: null,
  probability: null,
};

/** An answer as a text of one part, with its sentences as statements `T1`, `T2` and so on. */
export function draftAsText(draft: AnswerDraft, question: string): WrittenText {
  return {
    title: question,
    parts: [{ id: ANSWER_SECTION, title: question, markdown: draft.markdown }],
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
    partId: ANSWER_SECTION,
    text,
    plain: plain === '' ? text : plain,
    sourceIds: passageIds,
    verdict: verdict ?? null,
    ...found,
  };
}

export function auditedDraft(draft: AnswerDraft, { statements, notes }: WrittenText): AnswerDraft {
  const sentences = draft.sentences.map((sentence, at): AnswerSentence => {
    const { verdict, severity, fault } = statements[at] ?? {};
    // These are passage ids, and another passage of the same source may support the claim.
    const { notBorneBy: _passages, ...found } = verdict ?? UNCONFIRMED_VERDICT;
    return {
      ...sentence,
      verdict: found,
      ...(severity === undefined ? {} : { severity }),
      ...(fault === undefined ? {} : { fault }),
    };
  });
  return { ...draft, sentences, notes };
}

/** The draft with the edited text. New sentences have no verdict; without citations, they keep the passages of the replaced sentence. */
export function revisedDraft(draft: AnswerDraft, before: WrittenText, after: WrittenText): AnswerDraft {
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

/** The later draft if a smaller share of its claims was rejected, or an equal share and no more is missing; else the earlier one. */
export function betterAnswer(earlier: AnswerDraft, later: AnswerDraft): AnswerDraft {
  const [before, now] = [supportedCount(earlier), supportedCount(later)];
  if (before === 0 || now === 0) return now > before ? later : earlier;
  const [asideBefore, asideNow] = [rejectedShare(earlier), rejectedShare(later)];
  if (asideBefore !== asideNow) return asideNow < asideBefore ? later : earlier;
  if (earlier.missing === null && later.missing !== null) return earlier;
  return asideNow === 0 || now >= before ? later : earlier;
}

function rejectedShare({ setAside, ...draft }: AnswerDraft): number {
  return setAside.length / (setAside.length + supportedCount({ setAside, ...draft }));
}

export function supportedCount({ sentences }: AnswerDraft): number {
  return sentences.filter(({ verdict }) => verdict !== undefined && isSupported(verdict)).length;
}
