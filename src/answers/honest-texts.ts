import { answerTexts } from '../texts/answer';
import type { LeftOut } from '../texts/answer';
import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { inert } from '../core/writing/quotation';
import { distinctBy } from '../core/values/distinct-by';
import { cutLongText } from '../core/text/cut-long-text';
import { documentName } from './citation-style';

/** Document 001: what a writer reads where nothing was observed. */
export const NO_OBSERVATIONS = 'No observations available.';

const NEAREST = 3;
const MAX_QUESTION_CHARS = 300;
/** Temporal takes no result of more than two megabytes, and a character may have three bytes. */
const FALLBACK_CHARS = { most: 200_000, least: 190_000 };

/** A longer name of a source is cut off: it is only to be recognised. */
const MAX_NAME_CHARS = 100;

export interface NothingFound {
  question: string;
  documents: number;
  missing: string | null;
  /** What was read. */
  nearest: readonly Pick<AnswerPassage, 'sourceId' | 'document' | 'score'>[];
}

/** Document 001's answer without evidence: what is missing, what comes nearest, and how to ask better. */
export function insufficientText({ question, documents, missing, nearest }: NothingFound): string {
  const said = missing?.trim() ?? '';
  const hints = documents === 0 ? answerTexts.hintsWithoutSources : answerTexts.hints;
  const best = [...nearest].sort((a, b) => b.score - a.score);
  const near = distinctBy(best, ({ sourceId }) => sourceId).slice(0, NEAREST);
  const named = near.filter(({ document }) => !said.replaceAll('\\', '').includes(document));
  const names = named.map(({ document }) => documentName(shortened(document)));
  return [
    answerTexts.notFound(asked(question), documents),
    ...(said === '' ? [] : [inert(said)]),
    ...(names.length === 0 ? [] : [answerTexts.nearest(names, named.length < near.length)]),
    [answerTexts.whatHelps, ...hints.map((hint, at) => `${at + 1}. ${hint}`)].join('\n'),
  ].join('\n\n');
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS).trimEnd()}…` : name;
}

function asked(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const short = line.length > MAX_QUESTION_CHARS ? `${line.slice(0, MAX_QUESTION_CHARS)}…` : line;
  return inert(short).replace(/[“”]/g, '"');
}

/** Under an answer of which claims were taken out: how many, and what is wrong with them. What they say is not said again. */
export function leftOutText(setAside: readonly Pick<ClaimVerdict, 'verdict'>[]): string {
  const amounts = new Map<LeftOut, number>();
  for (const { verdict } of setAside) {
    const why = verdict === 'supported' || verdict === 'inference' ? 'unchecked' : verdict;
    amounts.set(why, (amounts.get(why) ?? 0) + 1);
  }
  return answerTexts.leftOut([...amounts].map(([why, amount]) => ({ why, amount })));
}

/** The reply on failure: what the caller has already, as far as a reply may be long; null where it has nothing. */
export function fallbackText(finalOutput: string | undefined): string | null {
  if (finalOutput === undefined || finalOutput.trim() === '') return null;
  if (finalOutput.length <= FALLBACK_CHARS.most) return finalOutput;
  const [beginning] = cutLongText(finalOutput, FALLBACK_CHARS);
  return `${finalOutput.slice(beginning?.start, beginning?.end)}…`;
}
