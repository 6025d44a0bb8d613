import { counted, inSeries } from './writing';

export const briefTexts = {
  // Between statements, in the summary.
  noAnswer: 'No single statement answers the question as a whole; these come nearest.',
  onSubtopic: (title: string): string => `On ${title}:`,
  disagree: (topic: string): string => `The sources disagree on ${topic}.`,
  against: 'Against that stands this:',
  // Before a statement of a subtopic.
  otherwise: 'Another statement says otherwise:',
  toldOtherwise: (title: string): string => `What is told of ${title} says otherwise:`,
  disputed: 'Disputed:',
  disputedUnder: (title: string): string => `Disputed under ${title}:`,
  /** In the place of a subtopic's text. */
  nothingOwn: 'Whatever is found here stands under another heading, or was set aside.',
  refuted:
    'What the summary of this subtopic says is not borne by the sources that it cites; it is set aside.',
  toldBefore: 'What the summary of this subtopic says is told above, with the citations of both.',
  statesNothing: 'The summary of this subtopic states nothing that could be cited.',
  // In the conclusions; subtopics are titles in quotation marks.
  recommending: 'The sources themselves say what should be done.',
  notDecided:
    'No single statement decides the question: what would decide it has to be looked for in further sources.',
  unconfirmed:
    'Each of these statements rests on one source alone: look for a second one before deciding on it.',
  settled: (subtopics: readonly string[]): string =>
    `Several sources stand together, undisputed here, in ${inSeries(subtopics)}: that can be built on.`,
  disagreement: (topic: string): string => `The sources disagree on ${topic}`,
  /** `what` is what differs, `who` the sources on each side. */
  toDecide: (what: string, who: readonly string[], subtopics: readonly string[]): string =>
    `${what} (${who.join(' against ')}): before anything is built on it, compare how each was found, under ${inSeries(subtopics)}, and decide which holds.`,
  thin: (subtopics: readonly string[], sources: number): string => {
    const [rest, them, each] = subtopics.length > 1 ? ['rest', 'them', ' each'] : ['rests', 'it', ''];
    return `${inSeries(subtopics)} ${rest} on ${fewSources(sources)}${each}, fewer than the others: look for more there before relying on ${them}.`;
  },
  nothingWritten: 'Nothing of the text was written.',
  missing: (
    frame: readonly ('summary' | 'conclusions')[],
    subtopics: readonly number[],
    all: number,
  ): string => {
    const noun = subtopics.length === 1 ? 'subtopic' : 'subtopics';
    const body = subtopics.length === 0 ? [] : [`${noun} ${inSeries(subtopics.map(String))} of ${all}`];
    return `The run could not write ${inSeries([...frame.map((part) => `the ${part}`), ...body])}.`;
  },
  noTexts: (sources: number): string =>
    `No text of ${sources === 1 ? 'the one source' : `the ${counted(sources, 'source')}`} was given: every claim is checked against the summaries alone.`,
  someTexts: (inFull: number, sources: number): string =>
    `The texts of ${inFull} of ${counted(sources, 'source')} were given; what rests on the others is checked against the summaries alone.`,
  summariesSetAside: (amount: number): string =>
    `${counted(amount, 'sentence')} of the summaries ${amount === 1 ? 'is' : 'are'} set aside, because the sources do not bear ${amount === 1 ? 'it' : 'them'}.`,
  /** Where none were wanted, and the text is longer than it was to be. */
  tooLong: (words: number, most: number): string =>
    `The text has ${words} words, where ${most} were to be the most; it is never cut off.`,
  otherLength: (words: number, wanted: number, given: number): string => {
    const asked = `${wanted} words were wanted, and the text has ${words}`;
    if (words > wanted) return `${asked}; it is never cut off.`;
    if (given < wanted) return `${asked}: the summaries have ${given} to write from, and nothing is padded.`;
    return `${asked}; the summaries have ${given} to write from, so that more could be told.`;
  },
  // The list of sources, in document 000's form.
  unknownAuthor: 'Unknown author',
  conclusions: 'Conclusions',
};

const NUMBERS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `one source`, `three sources`: in sentences whose figures are to be the sources' own. */
function fewSources(amount: number): string {
  return `${NUMBERS[amount] ?? 'many'} source${amount === 1 ? '' : 's'}`;
}
