import { numbered } from './writing';

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

export const faceTexts = {
  product: 'Colligate',
  places: {
    runs: 'Runs',
    start: 'Start a run',
    signOut: 'Sign out',
  },
  main: 'Places',
  signIn: 'Sign in',
  token: 'Token',
  tokenHelp: 'Whoever runs this service makes tokens with “colligate token make NAME”.',
  notLetIn: 'This token is not valid.',
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
  maxCost: 'Cost, USD at most',
  noLimit: 'empty: no limit',
  result: 'Result',
  read: { report: 'Read the report', answer: 'Read the answer', brief: 'Read the brief' },
  as: 'As a file:',
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
  done: { pause: 'It was asked to pause.', resume: 'It was asked to go on.', cancel: 'It was asked to end.' },
  start: 'Start a run',
  question: 'Question',
  files: 'Files',
  links: 'Addresses, one a line',
  text: 'Text of your own',
  engine: 'Engine',
  configured: 'as configured',
  waitForApproval: 'Wait for my approval of the outline',
  estimate: 'Estimate the price',
  estimating: 'Reading the sources…',
  costsNothing: 'No model: costs nothing.',
  notEstimated: 'Not known: what a search finds has no size yet.',
  estimateFailed: 'The price could not be estimated.',
  started: 'Start',
  latest: 'What your latest runs took',
  spent: (kind: string, runs: number, { costUsd, minutes }: Spent): string =>
    `${kind}, of ${runs}: ${ranged(costs, costUsd)}, ${ranged(durations, minutes)}`,
  problem: 'This did not work',
  back: 'Back to the runs',
};

/** From one amount to another, and one of both where they read the same. */
function ranged(format: Intl.NumberFormat, [from, to]: readonly [number, number]): string {
  return format.format(from) === format.format(to) ? format.format(to) : format.formatRange(from, to);
}
