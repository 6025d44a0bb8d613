import type { RunKind } from '../contracts/kinds';
import type { RunStatus, Usage } from '../contracts/run/run';
import type { Verdict } from '../contracts/verification/claim-verdict';
import { figures, numbered } from './writing';

/** What is said of a run that goes on, in a terminal and on its page; status and verdicts are the words of the interface. */
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
  done: (how: Done, done: number, of: number): string => `${done} of ${of} ${how}`,
  doneOf: (what: Counted, how: Done, done: number, of: number): string => `${done} of ${of} ${what} ${how}`,
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
          `${figures.format(inputTokens + outputTokens)} tokens`,
          ...(costUsd > 0 ? [`$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`] : []),
        ].join(', '),
  started: (at: string, news: string): string => `${at}, last news at ${news}`,
  begun: (question: string): string => `Started: ${question}`,
  given: (sources: number, engine: string): string => `${numbered(sources, 'source')}, ${engine} engine`,
  outline: (theme: string): string => `Outline: ${theme}`,
  sources: (amount: number): string => numbered(amount, 'source'),
  read: (title: string, findings: number, sources: number, sections: { read: number; of: number }): string =>
    `${title}: ${numbered(findings, 'finding')} from ${numbered(sources, 'source')} · ${sections.read} of ${numbered(sections.of, 'section')}`,
  conflict: (n: number, topic: string, sources: number, names: string): string =>
    `Conflict ${n}: ${topic} (${numbered(sources, 'source')}: ${names})`,
  cited: (sources: number, percent: number): string =>
    `${numbered(sources, 'source')} cited, ${percent} % of all`,
  audited: (title: string, told: Audited): string =>
    `Audited “${title}”: ${[
      [
        numbered(told.claims, 'claim'),
        ...told.verdicts.map(({ verdict, amount }) => `${amount} ${verdict}`),
      ].join(', '),
      ...(told.setAside === 0 ? [] : [`${told.setAside} set aside`]),
      ...(told.needsRetry ? ['another attempt may mend it'] : []),
    ].join('; ')}.`,
  revised: (title: string, reason: string): string => `${title} is written once more: ${reason}`,
  broughtTogether: (passages: number, documents: number): string =>
    `${numbered(passages, 'passage')} of ${numbered(documents, 'document')} are brought together`,
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
  words: (amount: number): string => `written, ${numbered(amount, 'word')}`,
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

export type Counted = 'sources' | 'sections' | 'parts';
export type Done = 'read' | 'checked' | 'written';
export type SectionState = 'to come' | 'read' | 'being written' | 'written';

export interface Audited {
  claims: number;
  verdicts: readonly { verdict: Verdict; amount: number }[];
  setAside: number;
  needsRetry: boolean;
}
