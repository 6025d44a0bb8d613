import type { AnswerDraft, AnswerSentence } from '../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { citedIds } from '../../core/text/citation-marks';
import { clausesOf } from '../../verification/clauses';
import { foreignAddresses } from '../../verification/foreign-addresses';
import { judgeSentence } from '../../verification/judge-sentence';
import { type PreparedPassages, preparePassages } from '../../verification/prepared-passages';
import { comparableText } from '../../verification/quotes/comparable-text';
import { framedQuotations } from '../../verification/quotes/framed-quotations';
import { verifyPrepared } from '../../verification/verify-prepared';

/** A verdict for each claim of an answer by its place, where no model is asked. Places are offsets into passages. Pure. */
export function verdictsByWords(
  { sentences }: Pick<AnswerDraft, 'sentences'>,
  passages: readonly AnswerPassage[],
): Map<number, ClaimVerdict> {
  const prepared = preparePassages(passages.map(({ id, text }) => ({ sourceId: id, text, start: 0 })));
  return new Map(
    sentences.map((sentence, at): [number, ClaimVerdict] => [at, verdictOf(sentence, passages, prepared)]),
  );
}

function verdictOf(
  { plain, text }: AnswerSentence,
  passages: readonly AnswerPassage[],
  prepared: PreparedPassages,
): ClaimVerdict {
  const ids = [...new Set(citedIds(text))];
  const cited = passages.filter(({ id }) => ids.includes(id));
  const verdict =
    quotingVerdict(quotedIn(plain, cited)) ??
    verifyPrepared(plain, prepared, {
      cited: [...passages.keys()].filter((at) => ids.includes(passages[at]?.id ?? '')),
      attribution: cited.flatMap(attributionOf),
    });
  return withoutForeignAddress(plain, verdict, [
    ...(verdict.evidence === null ? [] : [verdict.evidence.quote]),
    ...cited.filter((passage) => saysPartOf(plain, passage)).map((passage) => passage.text),
    ...cited.flatMap(({ title, author = '', site = '' }) => [title, author, site]),
  ]);
}

/** The places that a sentence quotes which only frames quotations; none where it says more, or one of them stands nowhere. */
function quotedIn(plain: string, cited: readonly AnswerPassage[]): Evidence[] {
  const places = framedQuotations(
    plain,
    cited.map(({ id, text, author = '', publishedAt = '', title, site = '' }) => ({
      id,
      content: text,
      attribution: [author, publishedAt, title, site].filter((words) => words !== ''),
      comparable: comparableText(text),
    })),
  );
  return (places ?? []).flatMap((place): Evidence[] => {
    const passage = cited.find(({ id, text }) => id === place.sourceId && text.includes(place.quote));
    return passage === undefined ? [] : [wholeOf(passage)];
  });
}

function wholeOf({ id, text }: AnswerPassage): Evidence {
  return { sourceId: id, quote: text, start: 0, end: text.length };
}

function quotingVerdict([evidence]: readonly Evidence[]): ClaimVerdict | null {
  if (evidence === undefined) return null;
  const reason = 'It quotes what it cites word for word.';
  return { verdict: 'supported', code: 'same-words', reason, evidence, probability: null };
}

function attributionOf({ author = '', publishedAt = '' }: AnswerPassage): string[] {
  return [author, publishedAt.slice(0, 10)].filter((text) => text !== '');
}

/** True if a passage says one of the statements that the sentence joins, in nearly its words. */
function saysPartOf(plain: string, { text, author = '', publishedAt = '' }: AnswerPassage): boolean {
  const cited = { passages: [text], attribution: [author, publishedAt.slice(0, 10)], numbersFrom: [] };
  return clausesOf(plain).some((clause) => judgeSentence(clause, cited).verdict === 'close');
}

/** Refuses a sentence that brings in an address, or what looks like one, that none of these texts has. */
export function withoutForeignAddress(
  plain: string,
  verdict: ClaimVerdict,
  texts: readonly string[],
): ClaimVerdict {
  if (verdict.verdict !== 'supported' && verdict.verdict !== 'inference') return verdict;
  const [address] = foreignAddresses(plain, texts);
  if (address === undefined) return verdict;
  const reason = `“${address}” stands in none of its quotes.`;
  return { ...verdict, verdict: 'unsupported', code: 'name-absent', reason };
}
