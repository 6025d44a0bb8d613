import type { Verdict } from '../contracts/verification/claim-verdict';
import { counted, numbered } from './writing';

export const answerTexts = {
  title: 'Answer',
  /** Before a quote: who says it, once more where `isAgain`, and in what; any of it may be absent. */
  lead: ({ isContrast, who, isAgain, title }: Lead): string =>
    [
      isContrast ? 'in conflict with this' : '',
      who !== '' && isAgain ? `${who} also` : who,
      title === '' ? '' : `in ${title}`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  nearestPassage: (quote: string, title: string): string =>
    `The nearest passage, which may not answer it: “${quote}” (${title}).`,
  notFound: (question: string, documents: number): string => {
    const where =
      documents === 0
        ? 'because there was nothing to look in: no source has any text'
        : `in ${documents === 1 ? 'the one source' : `the ${counted(documents, 'source')}`} that I looked in`;
    return `I couldn't find information about “${question}” ${where}.`;
  },
  nearest: (names: readonly string[], isRest: boolean): string =>
    `${isRest ? 'Also near' : 'Nearest to it'}: ${names.join('; ')}.`,
  whatHelps: 'What may help:',
  hints: [
    'Put the question in other words, such as those that the sources themselves may use.',
    'Ask for one part of it at a time, or more generally.',
    'Give further sources, or ask about what the sources at hand deal with.',
  ] as readonly string[],
  hintsWithoutSources: [
    'Give sources or observations that deal with the question: it is answered from these alone.',
    // Document 001's three, for an agent whose tools found nothing.
    'Where tools found none: rephrase the question, ask about a different aspect of it, or use different terminology.',
  ] as readonly string[],
  /** Where no answer could be written and the caller has none either. */
  failed:
    "I ran into an error and couldn't write an answer to this question. Please ask again; if it happens again, the reason stands in the reply's diagnostics.",
  why: (reason: string): string => `Why: ${reason}`,
  noReason: 'no reason is known',
  leftOut: (counts: readonly { why: LeftOut; amount: number }[]): string => {
    const all = counts.reduce((sum, { amount }) => sum + amount, 0);
    const what = all === 1 ? 'One statement was' : `${all} statements were`;
    const [first] = counts;
    if (counts.length === 1 && first !== undefined) return `${what} left out ${LEFT_OUT[first.why]}.`;
    return `${what} left out: ${counts.map(({ why, amount }) => `${amount} ${LEFT_OUT[why]}`).join(', ')}.`;
  },
  missing: (missing: string): string => `Not answered by the sources: ${missing}`,
  /** Document 001's sentence for a confidence below `disclaimerBelow`. */
  disclaimer: 'Note: This answer is based on limited evidence. Please verify with additional sources.',
  confidence: (value: number, meaning: string): string =>
    `Confidence: ${withoutLastZero(value.toFixed(2))} (${meaning})`,
  /** By document 001's own examples. */
  pieces: ['no sources', 'single source', 'multiple sources'] as readonly [string, string, string],
  notStood: (aside: number, written: number): string =>
    `${aside} of ${counted(written, 'claim')} did not stand and ${aside === 1 ? 'was' : 'were'} left out`,
  notConfirmed: (open: number, claims: number): string =>
    `${open} of ${counted(claims, 'claim')} ${open === 1 ? 'is' : 'are'} not confirmed`,
  contradicted: (disputed: number, claims: number): string =>
    `sources contradict each other on ${disputed} of ${counted(claims, 'claim')}`,
  shortened: 'much of the context was shortened',
  hardlyBears: 'what was searched hardly bears on the question',
  nothingWritten: 'no answer could be written',
  uncheckedFinalOutput: 'no answer could be written; this is the given final output, unchecked',
  sources: 'Sources',
  /** Document 003's badge. */
  synthesised: (documents: number, cited: number): string =>
    `Synthesised from ${numbered(documents, 'document')}${cited < documents ? `, ${cited} of which it cites` : ''}`,
  multiSource: 'multi-source',
  claimsLeftOut: (amount: number, command: string): string =>
    `${numbered(amount, 'claim')} ${amount === 1 ? 'was' : 'were'} left out; “${command}” lists ${amount === 1 ? 'it' : 'them'} with the reasons.`,
  asChecked: 'As it stands after it was checked:',
  // Pages in citations: document 001's style, and document 003's.
  pages: (numbers: string, isOne: boolean): string => `Page${isOne ? '' : 's'} ${numbers}`,
  pagesShort: (numbers: string, isOne: boolean): string => `${isOne ? 'p.' : 'pp.'} ${numbers}`,
};

/** What stands before a quote; empty where it is not told. */
export interface Lead {
  isContrast: boolean;
  who: string;
  isAgain: boolean;
  title: string;
}

export type LeftOut = Exclude<Verdict, 'supported' | 'inference'>;

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  contradicted: 'that the cited sources contradict',
  unsupported: 'that the cited sources do not say',
  partial: 'that the cited sources say only in part',
  unchecked: 'that could not be checked against the cited sources',
};

/** `0.6`, `0.0`, `0.53`, `0.95`. */
export function withoutLastZero(hundredths: string): string {
  return hundredths.replace(/0$/, '');
}
