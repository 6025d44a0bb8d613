import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { ClaimVerdict } from '../contracts/verification/claim-verdict';
import { count } from '../core/writing/count';
import { inert } from '../core/writing/quotation';
import { distinctBy } from '../core/values/distinct-by';
import { cutLongText } from '../core/text/cut-long-text';
import { documentName } from './citation-style';

/** Document 001: what a writer reads where nothing was observed. */
export const NO_OBSERVATIONS = 'No observations available.';

/** The reply where no answer could be written and the caller has none either. */
export const PLAIN_FAILURE =
  "I ran into an error and couldn't write an answer to this question. Please ask again; if it happens again, the reason stands in the reply's diagnostics.";

/** So many of the nearest sources are named. */
const NEAREST = 3;
const MAX_QUESTION_CHARS = 300;
/** Temporal takes no result of more than two megabytes, and a character may have three bytes. */
const FALLBACK_CHARS = { most: 200_000, least: 190_000 };

/** A longer name of a source is cut off: it is only to be recognised. */
const MAX_NAME_CHARS = 100;

const HINTS = [
  'Put the question in other words, such as those that the sources themselves may use.',
  'Ask for one part of it at a time, or more generally.',
  'Give further sources, or ask about what the sources at hand deal with.',
];
const HINTS_WITHOUT_SOURCES = [
  'Give sources or observations that deal with the question: it is answered from these alone.',
  // Document 001's three, for an agent whose tools found nothing.
  'Where tools found none: rephrase the question, ask about a different aspect of it, or use different terminology.',
];

/** What is known where nothing answers. */
export interface NothingFound {
  question: string;
  /** What was searched. */
  documents: number;
  /** What the passages lack, in the writer's words. */
  missing: string | null;
  /** The best that was found, best first. */
  nearest: readonly Pick<AnswerPassage, 'sourceId' | 'document'>[];
}

/** Document 001's answer without evidence: what is missing, what comes nearest, and how to ask better. */
export function insufficientText({ question, documents, missing, nearest }: NothingFound): string {
  const said = missing?.trim() ?? '';
  const hints = documents === 0 ? HINTS_WITHOUT_SOURCES : HINTS;
  const near = distinctBy(nearest, ({ sourceId }) => sourceId).slice(0, NEAREST);
  const named = near.filter(({ document }) => !said.replaceAll('\\', '').includes(document));
  const names = named.map(({ document }) => documentName(shortened(document))).join('; ');
  const which =
    named.length < near.length ? 'Also near, and no answer either' : 'Nearest to it, and no answer';
  return [
    `I couldn't find information about “${asked(question)}” ${searched(documents)}.`,
    ...(said === '' ? [] : [inert(said)]),
    ...(names === '' ? [] : [`${which}, ${named.length === 1 ? 'is' : 'are'}: ${names}.`]),
    ['What may help:', ...hints.map((hint, at) => `${at + 1}. ${hint}`)].join('\n'),
  ].join('\n\n');
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS).trimEnd()}…` : name;
}

function searched(documents: number): string {
  if (documents === 0) return 'because there was nothing to look in: no source has any text';
  return `in ${documents === 1 ? 'the one source' : `the ${count(documents, 'source')}`} that I looked in`;
}

function asked(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const short = line.length > MAX_QUESTION_CHARS ? `${line.slice(0, MAX_QUESTION_CHARS)}…` : line;
  return inert(short).replace(/[“”]/g, '"');
}

const LEFT_OUT: Partial<Record<ClaimVerdict['verdict'], string>> = {
  contradicted: 'that the cited sources contradict',
  unsupported: 'that the cited sources do not say',
  partial: 'that the cited sources say only in part',
};
const UNDECIDED = 'that could not be checked against the cited sources';

/** Under an answer of which claims were taken out: how many, and what is wrong with them. What they say is not said again. */
export function leftOutText(setAside: readonly Pick<ClaimVerdict, 'verdict'>[]): string {
  const amounts = new Map<string, number>();
  for (const { verdict } of setAside) {
    const why = LEFT_OUT[verdict] ?? UNDECIDED;
    amounts.set(why, (amounts.get(why) ?? 0) + 1);
  }
  const what = setAside.length === 1 ? 'One statement was' : `${setAside.length} statements were`;
  if (amounts.size === 1) return `${what} left out ${[...amounts.keys()].join('')}.`;
  return `${what} left out: ${[...amounts].map(([why, amount]) => `${amount} ${why}`).join(', ')}.`;
}

/** Under an answer that says less than was asked. */
export function missingText(missing: string): string {
  return `Not answered by the sources: ${inert(missing)}`;
}

/** The reply on failure: what the caller has already, as far as a reply may be long, else a plain message. */
export function fallbackText(finalOutput: string | undefined): string {
  if (finalOutput === undefined || finalOutput.trim() === '') return PLAIN_FAILURE;
  if (finalOutput.length <= FALLBACK_CHARS.most) return finalOutput;
  const [beginning] = cutLongText(finalOutput, FALLBACK_CHARS);
  return `${finalOutput.slice(beginning?.start, beginning?.end)}…`;
}
