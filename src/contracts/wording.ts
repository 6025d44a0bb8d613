import type { Verdict } from './finding';
import type { FormDimension } from './judgement';
import type { RunKind, RunStatus, Usage } from './run';
import type { ChangeKind } from './run-input';

const DIMENSION_TEXTS = {
  overall: '',
  answerFirst: ' for the answer in its first sentence',
  readability: ' for readability',
  length: ' for its length',
};
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const listFormat = new Intl.ListFormat('en-GB');

/** `a, b and c`. */
export const formatList = (items: readonly string[]): string => listFormat.format(items);
/** `1 source`, `3 sources`. */
export const counted = (amount: number, noun: string): string =>
  `${amount} ${noun}${amount === 1 ? '' : 's'}`;
/** `40,210`. */
const numberFormat = new Intl.NumberFormat('en');
/** `1,204 words`. */
export const groupedCount = (amount: number, noun: string): string =>
  `${numberFormat.format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
export const score = (value: number): string => value.toFixed(2);

export const writingTexts = {
  /** A calendar day, `2026-11-26`. */
  date: (iso: string): string => iso,
  score,
  andColleagues: (first: string): string => `${first} and colleagues`,
  authors: (names: readonly string[]): string => names.join(' and '),
  inAgreement: 'in agreement, ',
  /** Precedes an opposing quote, or its citation number. */
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
  /** The line below a summary whose findings have the same confidence. */
  allAsSure: (level: Level): string =>
    `*Confidence in these findings: ${level.toLowerCase()} (${CONFIDENCE_REASONS[level]}).*`,
  /** Patterns for reading the texts above: a report's remarks on a sentence. */
  read: {
    confidence: '(?:High|Medium|Low) confidence(?:, not cross-checked)?',
    /** Of earlier releases. */
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
    /** Words that attribute a statement, besides the known English ones. */
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
  // Disagreements of sources, and open questions; `who` may be several.
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
    const scored = formatList(scores.map(({ of, score }) => `${score} of 5${DIMENSION_TEXTS[of]}`));
    return `The judge did not pass this text: ${scored}, where ${threshold} would pass. It is ${which}.`;
  },
};

export type Level = 'High' | 'Medium' | 'Low';

const CONFIDENCE_REASONS: Readonly<Record<Level, string>> = {
  High: 'several sources agree on each',
  Medium: 'each rests on one source, or is a conclusion',
  Low: 'sources disagree, or nothing confirms them',
};
function moreSources(amount: number): string {
  return amount === 1 ? 'one more source' : `${amount} more sources`;
}

/** For a running run, in the terminal and on its page. Statuses and verdicts are the API's own words. */
export const runTexts = {
  kinds: { report: 'report', answer: 'answer', brief: 'brief' } satisfies Record<RunKind, string> as Record<
    RunKind,
    string
  >,
  statuses: {
    queued: 'queued',
    running: 'running',
    waiting: 'waiting',
    pausing: 'pausing',
    paused: 'paused',
    'awaiting-approval': 'awaiting-approval',
    cancelling: 'cancelling',
    completed: 'completed',
    partial: 'partial',
    cancelled: 'cancelled',
    failed: 'failed',
  } satisfies Record<RunStatus, string> as Record<RunStatus, string>,
  /** `2026-01-02 03:04:05 UTC`, of an ISO 8601 time. */
  time: (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`,
  labels: {
    run: 'Run',
    status: 'Status',
    at: 'At',
    reached: 'Reached',
    sources: 'Sources',
    sections: 'Sections',
    parts: 'Parts',
    waiting: 'Waiting',
    because: 'Because',
    used: 'Used',
    started: 'Started',
    warning: 'Warning',
    warnings: 'Warnings',
  },
  pass: (n: number, message: string): string => `Pass ${n}: ${message}`,
  passPlace: (n: number, of: number): string => ` (${n} of ${of})`,
  passOf: (n: number, of: number): string => (n === 0 ? 'Start' : `Pass ${n}/${of}`),
  done: (how: ProgressVerb, done: number, of: number): string => `${done} of ${of} ${how}`,
  doneOf: (what: ProgressUnit, how: ProgressVerb, done: number, of: number): string =>
    `${done} of ${of} ${what} ${how}`,
  now: (section: string): string => `, now “${section}”`,
  status: (status: string, elapsed: string): string => `${status}, ${elapsed} since its start`,
  waitsFor: (what: string, since: string | null, nextTry: string | null): string =>
    `for ${what}${since === null ? '' : ` since ${since}`}${nextTry === null ? '' : `, next try at ${nextTry}`}`,
  waitingFor: (what: string): string => `waiting for ${what}`,
  takesNoMore: (askedOf: string, until: string, says: string): string =>
    `${askedOf} takes no more requests until ${until}${says === '' ? '.' : `: ${says}`}`,
  in: (time: string): string => `in ${time}`,
  used: ({ calls, cachedCalls, inputTokens, outputTokens, costUsd }: Usage): string =>
    calls === 0
      ? 'no call to a model'
      : [
          `${calls} call${calls === 1 ? '' : 's'} (${cachedCalls} from the cache)`,
          `${numberFormat.format(inputTokens + outputTokens)} tokens`,
          ...(costUsd > 0 ? [`$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`] : []),
        ].join(', '),
  started: (at: string, news: string): string => `${at}, last news at ${news}`,
  begun: (question: string): string => `Started: ${question}`,
  given: (sources: number, engine: string): string => `${groupedCount(sources, 'source')}, ${engine} engine`,
  outline: (theme: string): string => `Outline: ${theme}`,
  sources: (amount: number): string => groupedCount(amount, 'source'),
  read: (title: string, findings: number, sources: number, sections: { read: number; of: number }): string =>
    `${title}: ${groupedCount(findings, 'finding')} from ${groupedCount(sources, 'source')} · ${sections.read} of ${groupedCount(sections.of, 'section')}`,
  conflict: (n: number, topic: string, sources: number, names: string): string =>
    `Conflict ${n}: ${topic} (${groupedCount(sources, 'source')}: ${names})`,
  cited: (sources: number, percent: number): string =>
    `${groupedCount(sources, 'source')} cited, ${percent} % of all`,
  audited: (title: string, told: AuditSummary): string =>
    `Audited “${title}”: ${[
      [
        groupedCount(told.claims, 'claim'),
        ...told.verdicts.map(({ verdict, amount }) => `${amount} ${verdict}`),
      ].join(', '),
      ...(told.setAside === 0 ? [] : [`${told.setAside} set aside`]),
      ...(told.needsRetry ? ['another attempt may mend it'] : []),
    ].join('; ')}.`,
  revised: (title: string, reason: string): string => `${title} is written once more: ${reason}`,
  broughtTogether: (passages: number, documents: number): string =>
    `${groupedCount(passages, 'passage')} of ${groupedCount(documents, 'document')} are brought together`,
  attempt: (n: number, decision: string, reason: string): string =>
    `Attempt ${n}: ${decision}, because ${reason}`,
  judged: (version: number, overall: number, passed: boolean): string =>
    `Version ${version} was judged: ${overall.toFixed(1)} of 5, ${passed ? 'passed' : 'not passed'}`,
  warning: (message: string): string => `Warning: ${message}`,
  waits: (what: string, reason: string): string => `Waiting for ${what}: ${reason}`,
  parked: (reason: string): string => `Paused until it is resumed: ${reason}`,
  goesOn: 'It goes on.',
  awaitsApproval: 'It waits for the approval of its outline.',
  approved: 'The outline is approved.',
  notApproved: 'Nobody approved of the outline in time: it goes on with it.',
  ended: (status: string): string => `Ended: ${status}`,
  failed: (message: string): string => `Failed: ${message}`,
  continued: ', continued',
  words: (amount: number): string => `written, ${groupedCount(amount, 'word')}`,
  anew: (title: string): string => `${title} is written anew; what was shown of it no longer holds.`,
  page: {
    sections: 'Sections',
    states: {
      'to come': 'to come',
      read: 'read',
      'being written': 'being written',
      written: 'written',
    } satisfies Record<SectionState, string> as Record<SectionState, string>,
  },
};

export type ProgressUnit = 'sources' | 'sections' | 'parts';
export type ProgressVerb = 'read' | 'checked' | 'written';
export type SectionState = 'to come' | 'read' | 'being written' | 'written';

export interface AuditSummary {
  claims: number;
  verdicts: readonly { verdict: Verdict; amount: number }[];
  setAside: number;
  needsRetry: boolean;
}

export function noAnswerSentence(question: string): string {
  return `No sentence of the sources is likely to answer “${question.replace(/\s+/g, ' ').trim()}”.`;
}

/** `1 source`, `3 sources`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
