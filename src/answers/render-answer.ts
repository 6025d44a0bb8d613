import type { AnswerCitation, AnswerClaim } from '../contracts/answer/answer';
import type { AnswerDraft, AnswerSentence } from '../contracts/answer/answer-draft';
import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { AnswerCitationStyle } from '../contracts/answer/answer-settings';
import { citedIds, replaceMarks } from '../core/text/citation-marks';
import { createShifts } from '../core/text/shifted-offsets';
import { staysCitation } from '../core/text/stays-citation';
import { stripUnsafe } from '../core/text/untrusted-text';
import { citationText } from './citation-style';
import type { Evidence } from '../contracts/report/finding';

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
  const reason = verdict.reason;
  return { citations, ...verdict, reason, evidence: claimEvidence(verdict.evidence, cited) };
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

/** Passage id → its number in the answer: from 1 without holes, in the order in which the text first cites them. */
function numberPassages(
  markdown: string,
  passages: readonly Pick<AnswerPassage, 'id'>[],
): ReadonlyMap<string, number> {
  const known = new Set(passages.map(({ id }) => id));
  const cited = new Set(citedIds(markdown).filter((id) => known.has(id)));
  return new Map([...cited].map((id, at) => [id, at + 1]));
}

/** So many passages under one claim are a range: the shortest that is written compactly, as document 003's own example has it. */
const RANGE = 3;

/** The ids of the passages that some claim cites together with a passage of another document, or with two more (decision 0018). */
function multiSourceIds(
  claims: readonly { passageIds: readonly string[] }[],
  passages: ReadonlyMap<string, Pick<AnswerPassage, 'sourceId' | 'origin'>>,
): ReadonlySet<string> {
  const together = claims.filter(({ passageIds }) => {
    const cited = passageIds.flatMap((id) => passages.get(id) ?? []);
    const documents = cited.filter(({ origin }) => origin === 'text').map(({ sourceId }) => sourceId);
    return documents.length >= RANGE || new Set(documents).size > 1;
  });
  const ids = together.flatMap(({ passageIds }) => passageIds);
  return new Set(ids.filter((id) => passages.get(id)?.origin === 'text'));
}

type NumberedPassage = AnswerPassage & { n: number };

/**
 * The place that a verdict rests on, under the number of the passage that holds it. An audit that read passages alone says it
 * by a passage's id with offsets into the passage; it is then told by offsets into its source.
 */
function claimEvidence(
  evidence: Evidence | null,
  cited: readonly NumberedPassage[],
): AnswerClaim['evidence'] {
  if (evidence === null) return [];
  const { sourceId, quote, start, end, page } = evidence;
  const own = cited.find(({ id, text }) => id === sourceId && text.slice(start, end) === quote);
  const holding = cited.find((passage) => {
    return passage.sourceId === sourceId && passage.start <= start && end <= passage.end;
  });
  const passage = own ?? holding ?? cited.find((other) => other.sourceId === sourceId);
  if (passage === undefined) return [];
  const by = own === undefined ? 0 : own.start;
  const { pages } = passage;
  const onPage = page ?? (pages?.from === pages?.to && pages?.name === undefined ? pages?.from : undefined);
  return [
    {
      n: passage.n,
      sourceId: passage.sourceId,
      quote,
      start: start + by,
      end: end + by,
      ...(onPage === undefined ? {} : { page: onPage }),
      ...(pages?.name === undefined ? {} : { place: pages.name }),
    },
  ];
}
