import type { FiringMemo } from '../contracts/schedule/scheduled-start';
import { ranged } from './ranged';
import { counted, numbered } from './writing';

/** What the cheapest and the dearest run cost, and how long the shortest and the longest took. */
interface Spent {
  costUsd: readonly [number, number];
  minutes: readonly [number, number];
}

const costs = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const durations = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'minute',
  unitDisplay: 'long',
  maximumFractionDigits: 1,
});

/** How often a schedule fired, and how often not, and why. */
interface Fired {
  fired: number;
  skipped: number;
  missed: number;
}

/** The pages that a served face has beside those of results. */
export const faceTexts = {
  product: 'Colligate',
  places: {
    runs: 'Runs',
    start: 'Start a run',
    schedules: 'Schedules',
    service: 'Service',
    signOut: 'Sign out',
  },
  main: 'Places',

  // Signing in.
  signIn: 'Sign in',
  token: 'Token',
  tokenHelp: 'Whoever runs this service makes tokens with “colligate token make NAME”.',
  notLetIn: 'This token is not valid.',

  // The list.
  runs: 'Runs',
  none: 'There is no run yet.',
  noneFound: 'No run is like that.',
  search: 'Words of the question',
  kind: 'Kind',
  status: 'Status',
  any: 'any',
  find: 'Find',
  columns: { question: 'Question', kind: 'Kind', status: 'Status', started: 'Started' },
  more: 'Older runs',
  amount: (amount: number): string => numbered(amount, 'run'),
  compareWith: 'Compare with another run',
  compare: 'Compare',

  // A run.
  where: 'Where the run is',
  follows: 'This page follows the run.',
  withoutScript: 'Load the page again to see how far it is.',
  lost: 'The service does not answer. The run goes on; this page goes on as soon as the service is back.',
  do: 'What you can do',
  pause: 'Pause',
  resume: 'Resume',
  approve: 'Approve the outline',
  outline: 'Change the outline',
  cancel: 'Cancel the run',
  cancelHelp:
    'What is under way is finished, and the run ends with what it has. It cannot be taken up again.',
  reallyCancel: 'Yes, cancel it',
  delete: 'Delete the run',
  deleteHelp: 'The run and all that it left are deleted for good.',
  reallyDelete: 'Yes, delete it',
  budget: 'Budget',
  maxCost: 'Cost, USD at most',
  maxTokens: 'Tokens at most',
  setBudget: 'Change the budget',
  noLimit: 'empty: no limit',
  result: 'Result',
  read: { report: 'Read the report', answer: 'Read the answer', brief: 'Read the brief' },
  as: 'As a file:',

  // The outline.
  outlineOf: 'Outline',
  outlineHelp: 'A section has a title, a place and what it is about. One without a title is dropped.',
  place: 'Place',
  title: 'Title',
  about: 'What it is about',
  drop: 'Drop',
  added: (n: number): string => `Section ${n} (new)`,
  section: (n: number): string => `Section ${n}`,
  theme: 'What the report is about',
  save: 'Save the outline',
  saveAndApprove: 'Save and approve',
  noOutline: 'There is no outline yet.',
  settled: 'The run has gone on with this outline; it can be changed no more.',
  until: (time: string): string => `The run waits for it until ${time}, and goes on with it as it is then.`,
  waitsForIt: 'The run waits until it is approved.',
  changedMeanwhile:
    'Somebody has changed the outline since you opened it, and nothing of yours is saved. This is how it is now; what you wanted stands below it.',
  yours: 'What you wanted',

  // What was steered.
  done: { pause: 'It was asked to pause.', resume: 'It was asked to go on.', cancel: 'It was asked to end.' },

  // Two runs.
  differs: 'What changed',
  same: 'Both say the same.',
  before: 'before',
  after: 'after',
  groups: {
    new: 'New findings',
    newlyQuoted: 'Newly quoted',
    changed: 'Changed findings',
    notQuoted: 'No longer quoted',
    withdrawn: 'Withdrawn findings',
    conflictsOpened: 'Conflicts that opened',
    conflictsClosed: 'Conflicts that closed',
    gapsOpened: 'Gaps that opened',
    gapsClosed: 'Gaps that closed',
  },

  // Starting.
  start: 'Start a run',
  question: 'Question',
  files: 'Files',
  links: 'Addresses, one a line',
  text: 'Text of your own',
  engine: 'Engine',
  configured: 'as configured',
  waitForApproval: 'Wait for my approval of the outline',
  started: 'Start',
  latest: 'What your latest runs took',
  spent: (kind: string, runs: number, { costUsd, minutes }: Spent): string =>
    `${kind}, of ${runs}: ${ranged(costs, costUsd)}, ${ranged(durations, minutes)}`,

  // Schedules.
  schedules: 'Schedules',
  noSchedules: 'There is no schedule.',
  scheduleColumns: { name: 'Name', question: 'Question', next: 'Next', last: 'Latest run' },
  standsStill: 'paused',
  newSchedule: 'Make a schedule',
  makeSchedule: 'Make the schedule',
  scheduleName: 'letters, digits, dots, dashes and underscores',
  every: 'How often',
  everyMs: [
    [3_600_000, 'every hour'],
    [86_400_000, 'every day'],
    [604_800_000, 'every week'],
  ] as readonly (readonly [number, string])[],
  cron: 'Or at the times of a cron expression',
  timeZone: 'Its time zone',
  scheduleSources:
    'Addresses are read each time it fires; files and a text of your own are kept as they are now. Give one or the other.',
  fired: ({ fired, skipped, missed }: Fired): string =>
    `It has fired ${counted(fired, 'time')}, was skipped ${counted(skipped, 'time')} for a run that went on, and missed ${counted(missed, 'time')}.`,
  firings: 'Its latest runs',
  firingStatuses: {
    finding: 'reading its sources',
    running: 'going on',
    completed: 'completed',
    partial: 'completed in part',
    cancelled: 'cancelled',
    failed: 'failed',
  } as Readonly<Record<FiringMemo['status'], string>>,
  trigger: 'Start one now',
  deleteSchedule: 'Delete the schedule',
  deleteScheduleHelp: 'It fires no more. Its runs stay.',

  // The service itself.
  service: 'This service',
  checkStates: { ok: 'fine', note: 'to know', problem: 'problem' },
  checkColumns: { name: 'What', state: 'How it is', detail: 'What was found' },
  checksHelp: 'As “colligate doctor” says it, of the process that serves this page.',

  // What went wrong.
  problem: 'This did not work',
  back: 'Back to the runs',
};
