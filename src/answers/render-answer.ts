import type { AnswerCitation, AnswerClaim } from '../contracts/answer/answer';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { AnswerCitationStyle } from '../contracts/answer/answer-settings';
import { citedIds, replaceMarks } from '../core/text/citation-marks';
import { createShifts } from '../core/text/shifted-offsets';
import { staysCitation } from '../core/text/stays-citation';
import { stripUnsafe } from '../core/text/untrusted-text';
import { citationText } from './citation-style';
import { claimEvidence, type NumberedPassage } from './claim-evidence';
import { multiSourceIds } from './multi-source';
import { numberPassages } from './number-passages';

/** A draft as its reader has it. What is appended to the text moves no offset. */
export interface RenderedAnswer {
  markdown: string;
  claims: AnswerClaim[];
  /** By number. */
  citations: AnswerCitation[];
}

/** A draft with citations in the style that was asked for instead of marks; marks of passages that are not there go. */
export function renderAnswer(
  draft: Pick<AnswerDraft, 'markdown' | 'sentences'>,
  passages: readonly AnswerPassage[],
  style: AnswerCitationStyle,
): RenderedAnswer {
  const written = stripUnsafe(draft.markdown);
  const numbers = numberPassages(written, passages);
  const cited = new Map(
    passages.flatMap((passage): [string, NumberedPassage][] => {
      const n = numbers.get(passage.id);
      return n === undefined ? [] : [[passage.id, { ...passage, n }]];
    }),
  );
  const shifts = createShifts();
  const markdown = replaceMarks(written, (ids, start, end) => {
    const text = citationText(of(ids, cited), style);
    const closed = text === '' || staysCitation(text, written, start, end) ? text : `${text} `;
    return shifts.put(closed, start, end);
  });
  const claims: AnswerClaim[] = [];
  let from = 0;
  for (const sentence of draft.sentences) {
    const text = stripUnsafe(sentence.text);
    const at = written.indexOf(text, from);
    if (at < 0) continue; // the step's check holds this for written sentences
    from = at + text.length;
    if (!sentence.isClaim) continue;
    const [start, end] = [shifts.offsetOf(at), shifts.offsetOf(from)];
    const id = `C${claims.length + 1}`;
    claims.push({
      id,
      text: markdown.slice(start, end),
      start,
      end,
      ...judged(sentence, of(citedIds(text), cited)),
    });
  }
  return { markdown, claims, citations: citationsOf(draft, cited) };
}

function of(ids: readonly string[], cited: ReadonlyMap<string, NumberedPassage>): NumberedPassage[] {
  return [...new Set(ids)].flatMap((id) => cited.get(id) ?? []);
}

const NOT_AUDITED = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'The claim was not audited.',
  evidence: null,
  probability: null,
} as const;

function judged(
  { verdict = NOT_AUDITED }: AnswerSentence,
  cited: readonly NumberedPassage[],
): Omit<AnswerClaim, 'id' | 'text' | 'start' | 'end'> {
  const citations = cited.map(({ n }) => n).sort((a, b) => a - b);
  return { citations, ...verdict, evidence: claimEvidence(verdict.evidence, cited) };
}

function citationsOf(
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  cited: ReadonlyMap<string, NumberedPassage>,
): AnswerCitation[] {
  const claims = sentences.filter(({ isClaim }) => isClaim);
  const together = multiSourceIds(
    claims.map(({ text }) => ({ passageIds: citedIds(text) })),
    cited,
  );
  return [...cited.values()]
    .sort((a, b) => a.n - b.n)
    .map(({ id, ...passage }) => ({ ...passage, multiSource: together.has(id) }));
}
