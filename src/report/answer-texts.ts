import type { Verdict } from '../contracts/finding';
import { counted, formatList, groupedCount } from '../contracts/wording';

// English texts of answers and briefs.

export const answerTexts = {
  title: 'Answer',
  /** Lead-in of a quote: the author, with “also” if `isAgain`, and the title; each may be empty. */
  lead: ({ isContrast, who, isAgain, title }: QuoteLead): string =>
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
    // Document 001's three hints, for an agent whose tools found nothing.
    'Where tools found none: rephrase the question, ask about a different aspect of it, or use different terminology.',
  ] as readonly string[],
  /** Used if no answer could be written and the caller has none either. */
  failed:
    "I ran into an error and couldn't write an answer to this question. Please ask again; if it happens again, the reason stands in the reply's diagnostics.",
  why: (reason: string): string => `Why: ${reason}`,
  noReason: 'no reason is known',
  leftOut: (counts: readonly { why: RejectedVerdict; amount: number }[]): string => {
    const all = counts.reduce((sum, { amount }) => sum + amount, 0);
    const what = all === 1 ? 'One statement was' : `${all} statements were`;
    const [first] = counts;
    if (counts.length === 1 && first !== undefined) return `${what} left out ${REJECTION_TEXTS[first.why]}.`;
    return `${what} left out: ${counts.map(({ why, amount }) => `${amount} ${REJECTION_TEXTS[why]}`).join(', ')}.`;
  },
  missing: (missing: string): string => `Not answered by the sources: ${missing}`,
  /** Document 001's sentence for a confidence below `disclaimerBelow`. */
  disclaimer: 'Note: This answer is based on limited evidence. Please verify with additional sources.',
  confidence: (value: number, meaning: string): string =>
    `Confidence: ${withoutLastZero(value.toFixed(2))} (${meaning})`,
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
    `Synthesised from ${groupedCount(documents, 'document')}${cited < documents ? `, ${cited} of which it cites` : ''}`,
  multiSource: 'multi-source',
  claimsLeftOut: (amount: number, command: string): string =>
    `${groupedCount(amount, 'claim')} ${amount === 1 ? 'was' : 'were'} left out; “${command}” lists ${amount === 1 ? 'it' : 'them'} with the reasons.`,
  asChecked: 'As it stands after it was checked:',
  // Pages in citations: document 001's style, and document 003's.
  pages: (numbers: string, isOne: boolean): string => `Page${isOne ? '' : 's'} ${numbers}`,
  pagesShort: (numbers: string, isOne: boolean): string => `${isOne ? 'p.' : 'pp.'} ${numbers}`,
};

export interface QuoteLead {
  isContrast: boolean;
  who: string;
  isAgain: boolean;
  title: string;
}

export type RejectedVerdict = Exclude<Verdict, 'supported' | 'inference'>;

const REJECTION_TEXTS: Readonly<Record<RejectedVerdict, string>> = {
  contradicted: 'that the cited sources contradict',
  unsupported: 'that the cited sources do not say',
  partial: 'that the cited sources say only in part',
  unchecked: 'that could not be checked against the cited sources',
};

/** `0.6`, `0.0`, `0.53`, `0.95`. */
export function withoutLastZero(hundredths: string): string {
  return hundredths.replace(/0$/, '');
}

export const briefTexts = {
  noAnswer: 'No single statement answers the question as a whole; these come nearest.',
  onSubtopic: (title: string): string => `On ${title}:`,
  disagree: (topic: string): string => `The sources disagree on ${topic}.`,
  against: 'Against that stands this:',
  otherwise: 'Another statement says otherwise:',
  toldOtherwise: (title: string): string => `What is told of ${title} says otherwise:`,
  disputed: 'Disputed:',
  disputedUnder: (title: string): string => `Disputed under ${title}:`,
  nothingOwn: 'Whatever is found here stands under another heading, or was set aside.',
  refuted:
    'What the summary of this subtopic says is not borne by the sources that it cites; it is set aside.',
  toldBefore: 'What the summary of this subtopic says is told above, with the citations of both.',
  statesNothing: 'The summary of this subtopic states nothing that could be cited.',
  recommending: 'The sources themselves say what should be done.',
  notDecided:
    'No single statement decides the question: what would decide it has to be looked for in further sources.',
  unconfirmed:
    'Each of these statements rests on one source alone: look for a second one before deciding on it.',
  settled: (subtopics: readonly string[]): string =>
    `Several sources stand together, undisputed here, in ${formatList(subtopics)}: that can be built on.`,
  disagreement: (topic: string): string => `The sources disagree on ${topic}`,
  toDecide: (what: string, who: readonly string[], subtopics: readonly string[]): string =>
    `${what} (${who.join(' against ')}): before anything is built on it, compare how each was found, under ${formatList(subtopics)}, and decide which holds.`,
  thin: (subtopics: readonly string[], sources: number): string => {
    const [rest, them, each] = subtopics.length > 1 ? ['rest', 'them', ' each'] : ['rests', 'it', ''];
    return `${formatList(subtopics)} ${rest} on ${spelledSourceCount(sources)}${each}, fewer than the others: look for more there before relying on ${them}.`;
  },
  nothingWritten: 'Nothing of the text was written.',
  missing: (
    frame: readonly ('summary' | 'conclusions')[],
    subtopics: readonly number[],
    all: number,
  ): string => {
    const noun = subtopics.length === 1 ? 'subtopic' : 'subtopics';
    const body = subtopics.length === 0 ? [] : [`${noun} ${formatList(subtopics.map(String))} of ${all}`];
    return `The run could not write ${formatList([...frame.map((part) => `the ${part}`), ...body])}.`;
  },
  noTexts: (sources: number): string =>
    `No text of ${sources === 1 ? 'the one source' : `the ${counted(sources, 'source')}`} was given: every claim is checked against the summaries alone.`,
  someTexts: (inFull: number, sources: number): string =>
    `The texts of ${inFull} of ${counted(sources, 'source')} were given; what rests on the others is checked against the summaries alone.`,
  summariesSetAside: (amount: number): string =>
    `${counted(amount, 'sentence')} of the summaries ${amount === 1 ? 'is' : 'are'} set aside, because the sources do not bear ${amount === 1 ? 'it' : 'them'}.`,
  tooLong: (words: number, most: number): string =>
    `The text has ${words} words, where ${most} were to be the most; it is never cut off.`,
  otherLength: (words: number, wanted: number, given: number): string => {
    const asked = `${wanted} words were wanted, and the text has ${words}`;
    if (words > wanted) return `${asked}; it is never cut off.`;
    if (given < wanted) return `${asked}: the summaries have ${given} to write from, and nothing is padded.`;
    return `${asked}; the summaries have ${given} to write from, so that more could be told.`;
  },
  unknownAuthor: 'Unknown author',
  conclusions: 'Conclusions',
};

const NUMBER_WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `one source`, `three sources`: words, because figures in these sentences are the sources' own. */
function spelledSourceCount(amount: number): string {
  return `${NUMBER_WORDS[amount] ?? 'many'} source${amount === 1 ? '' : 's'}`;
}
