import type { FormDimension } from '../contracts/judge/dimensions';
import type { ChangeKind } from '../contracts/run/since';

const FOR_POINT = {
  overall: '',
  answerFirst: ' for the answer in its first sentence',
  readability: ' for readability',
  length: ' for its length',
};
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const series = new Intl.ListFormat('en-GB');

/** `a, b and c`. */
export const inSeries = (items: readonly string[]): string => series.format(items);
/** `1 source`, `3 sources`. */
export const counted = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : 's'}`;
/** `40,210`. */
export const figures = new Intl.NumberFormat('en');
/** `1,204 words`. */
export const numbered = (amount: number, noun: string): string =>
  `${figures.format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
export const score = (value: number): string => value.toFixed(2);

export const writingTexts = {
  /** Of a calendar day, `2026-11-26`. */
  date: (iso: string): string => iso,
  score,
  andColleagues: (first: string): string => `${first} and colleagues`,
  authors: (names: readonly string[]): string => names.join(' and '),
  inAgreement: 'in agreement, ',
  /** Before what stands against a quote: words of another source, or its number alone. */
  against: 'against it, ',
  sameReported: (amount: number): string => `the same is reported by ${moreSources(amount)}`,
  sameDocument: (amount: number): string =>
    amount === 1
      ? 'another part of the same document says the same'
      : `${amount} other parts of the same document say the same`,
  agreeing: (amount: number): string =>
    amount === 1 ? 'one more source agrees' : `${amount} more sources agree`,
  inference: 'inference',
  unchecked: 'unchecked',
  confidence: (level: Level, isChecked: boolean, value?: number): string =>
    `${level} confidence${value === undefined ? '' : ` (${score(value)})`}${isChecked ? '' : ', not cross-checked'}`,
  /** The line below a summary whose findings are all equally sure. */
  allAsSure: (level: Level): string =>
    `*Confidence in these findings: ${level.toLowerCase()} (${SURENESS[level]}).*`,
  /** How the texts above are read: what a report remarks on a sentence that is no part of what the sentence says. */
  read: {
    confidence: '(?:High|Medium|Low) confidence(?:, not cross-checked)?',
    /** Of releases before. */
    aside: ' ?\\((?:one sentence was|\\d+ sentences were) set aside here\\)',
    remarks: [
      ' ?\\(claim A\\d+ stood here: [a-z]+\\)',
      ' ?\\((?:inference|unchecked)\\)',
      ' ?\\(as of [^()]{1,40}\\)',
      '; the same is reported by (?:one|\\d+) more sources?',
      '; (?:another part|\\d+ other parts) of the same document says? the same',
      '; (?:one more source agrees|\\d+ more sources agree)',
      '(?<=;) in agreement,',
      '(?<=;) against it,',
    ],
    /** Words that say who reports something, beyond those that are known of English. */
    framing: [] as readonly string[],
  },
  sinceHeading: 'Since the last report',
  changes: {
    'source-came': 'New source',
    'source-changed': 'Source with another text',
    'source-went': 'Source gone',
    'conflict-opened': 'New conflict',
    'conflict-changed': 'Conflict changed',
    'conflict-closed': 'Conflict gone',
    'finding-changed': 'Changed',
    'finding-new': 'New',
    'finding-gone': 'Gone',
    'set-aside': 'Set aside now',
    'gap-opened': 'New gap',
    'gap-closed': 'Gap closed',
  } satisfies Record<ChangeKind, string> as Record<ChangeKind, string>,
  moreChanges: (more: number): string => `and ${more} more; \`diff\` of the two runs lists all of them`,
  notKept: (run: string): string =>
    `The result of run ${run}, the one before, is not kept any more, so what changed since is not known.`,
  nothingChanged: (
    run: string,
    date: string,
    same: { sources: number | null; findings: number; conflicts: number },
  ): string => {
    const told = [
      ...(same.sources === null ? [] : [counted(same.sources, 'source')]),
      counted(same.findings, 'finding'),
      ...(same.conflicts === 0 ? [] : [counted(same.conflicts, 'conflict')]),
    ];
    return `Since run ${run} of ${date} nothing changed: ${told.join(', ')} as before.`;
  },
  changed: (run: string, date: string, changes: readonly string[]): string =>
    `Since run ${run} of ${date}: ${changes.join('; ')}.`,
  sourcesAsBefore: (amount: number): string => `sources as before (${amount})`,
  changedOf: {
    citedSources: 'sources cited',
    sources: 'sources',
    findings: 'findings',
    conflicts: 'conflicts',
    gaps: 'gaps',
    setAside: 'claims set aside',
  },
  changedHow: {
    newlyCited: 'newly cited',
    noLongerCited: 'no longer cited',
    new: 'new',
    changed: 'changed',
    gone: 'gone',
    asBefore: 'as before',
    closed: 'closed',
    newly: 'newly',
    noLonger: 'no longer',
  },
  // Where sources disagree, and what one leaves open; `who` may be several.
  views: (views: readonly { who: string; areMany: boolean; what: string }[]): string => {
    const told = views.map(({ who, areMany, what }) => `${who} ${areMany ? 'report' : 'reports'} ${what}`);
    const [first = '', ...others] = told;
    const last = others.pop() ?? '';
    return others.length === 0
      ? `${first}, while ${last}.`
      : `${first}, while ${others.join(', ')}, and ${last}.`;
  },
  withMore: (who: string, amount: number): string => `${who} and ${moreSources(amount)}`,
  favoured: (at: number, who: string): string =>
    `The evidence favours the ${ORDINALS[at] ?? `${at + 1}th`} view, that of ${who}.`,
  inferredReason: (reason: string): string => `No source gives the reason; an inference is this: ${reason}`,
  leavesOpen: (who: string, areMany: boolean): string => `${who} ${areMany ? 'leave' : 'leaves'} open:`,
  judged: (
    scores: readonly { of: 'overall' | FormDimension; score: string }[],
    threshold: string,
    kept: { version: number; of: number },
  ): string => {
    const which =
      kept.of === 1
        ? 'the only version, which was not revised'
        : `version ${kept.version} of ${kept.of}, the best after ${counted(kept.of - 1, 'revision')}`;
    const scored = inSeries(scores.map(({ of, score }) => `${score} of 5${FOR_POINT[of]}`));
    return `The judge did not pass this text: ${scored}, where ${threshold} would pass. It is ${which}.`;
  },
};

export type Level = 'High' | 'Medium' | 'Low';

/** Why a finding is as sure as it is (`confidenceWord`). */
const SURENESS: Readonly<Record<Level, string>> = {
  High: 'several sources agree on each',
  Medium: 'each rests on one source, or is a conclusion',
  Low: 'sources disagree, or nothing confirms them',
};
function moreSources(amount: number): string {
  return amount === 1 ? 'one more source' : `${amount} more sources`;
}
