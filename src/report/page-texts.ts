import type { Verdict } from '../contracts/finding';
import type { RunKind } from '../contracts/run';
import type { ReadSource } from '../contracts/source';
import { counted, groupedCount } from '../contracts/wording';
import type { Check } from './report-texts';

// English texts of the HTML page and of the web server.

export const pageTexts = {
  kinds: { report: 'Report', answer: 'Answer', brief: 'Brief' } satisfies Record<RunKind, string> as Record<
    RunKind,
    string
  >,
  asOf: (date: string): string => ` as of ${date}`,
  from: (sources: number): string => `, from ${counted(sources, 'source')}`,
  badge: ({ by, stated, supported, inference }: Check): string => {
    const checked = supported + inference;
    if (checked < stated) return `${checked} of ${counted(stated, 'statement')} checked`;
    return by === 'quoting' ? counted(stated, 'quotation') : `${counted(stated, 'statement')} checked`;
  },
  madeBy: (version: string, engine: string): string => `Made by Colligate ${version} (${engine}), run `,
  skip: 'Skip to the text',
  contents: 'Contents',
  followUps: 'What to ask next',
  behind: 'Checks and evidence',
  setAside: 'Set aside, because the sources do not support it',
  concluded: 'Conclusions from what is cited',
  conclusion: 'A conclusion from the passages that it cites',
  open: 'In the text, and not confirmed by a check',
  disputed: 'Disagreements of the sources',
  confidenceOfFindings: 'Confidence by finding',
  supportedBy: 'Supported by',
  aboutRun: 'About this run',
  unanswered: 'Not answered by the sources',
  stoodIn: ' It stood in ',
  sources: (amount: number): string => counted(amount, 'source'),
  favoured: 'favoured',
  source: 'Source',
  check: 'Check',
  found: 'What was found',
  isDisputed: 'disputed',
  passages: 'Passages',
  claims: 'Claims',
  previous: 'Previous',
  next: 'Next',
  back: 'Back to the text',
  claimOf: (at: number, all: number): string => `Claim ${at} of ${all}`,
  why: 'Why',
  confidence: 'Confidence',
  noPassage: 'No passage is known for this claim.',
  further: (amount: number): string =>
    `${amount === 1 ? 'One further place' : `${amount} further places`} in these sources`,
  onPage: (page: number): string => `page ${page}`,
  footPage: ', page ',
  ofSummary: ', as the given summary has it',
  withheld: 'The text around it is not shown: ',
  leftOut: 'texts of sources are left out here',
  noLicence: 'no licence of the source is known',
  licence: ['the source’s licence, ', ', is not known to be open'] as readonly [string, string],
  standsAt: (start: number, end: number): string =>
    `It stands at ${start}–${end} of the source’s text (UTF-16).`,
  readThere: 'Read it at its source',
  verdicts: {
    supported: 'Supported by what it cites',
    inference: 'Inferred from what it cites',
    partial: 'Supported in part',
    contradicted: 'Contradicted by what it cites',
    unsupported: 'Not supported by what it cites',
    unchecked: 'Not checked',
  } satisfies Record<Verdict, string> as Record<Verdict, string>,
  cautions: {
    partial: 'partial',
    contradicted: 'contradicted',
    unsupported: 'unsupported',
    unchecked: 'unchecked',
  },
  named: 'Named, and not cited in the text',
  cited: (times: number): string => `Cited ${counted(times, 'time')}.`,
  summaryOnly: 'Known by its summary only.',
  sourcesRead: {
    title: 'Sources read',
    columns: ['Source', 'File or address', 'Read', 'Cited'],
    status: {
      read: 'Read',
      'summary-only': 'Summary only',
      skipped: 'Skipped',
      repeated: 'Counted once',
    } satisfies Record<ReadSource['status'], string> as Record<ReadSource['status'], string>,
    others: 'Others',
    notCited: 'no',
    pagesWithoutText: (pages: number): string => `${counted(pages, 'page')} without text`,
    sameAs: (name: string): string => `same as ${name}`,
    nearlySameAs: (name: string): string => `nearly the same text as ${name}`,
    more: (amount: number): string => `… and ${groupedCount(amount, 'more source')}, in the JSON of the run.`,
  },
};

interface SpentRange {
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

export const serverTexts = {
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
  amount: (amount: number): string => groupedCount(amount, 'run'),
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
  startFailed: 'The run could not be started. Try again.',
  unread: (amount: number, areFiles: boolean): string =>
    `${countedInputs(amount, areFiles)} cannot be read. Nothing was started.`,
  moreUnread: (amount: number): string => `… and ${amount} more`,
  continueWithout: (amount: number, areFiles: boolean): string =>
    `Continue without ${amount === 1 ? `this ${inputNoun(areFiles)}` : `these ${countedInputs(amount, areFiles)}`}`,
  chooseOthers: 'Choose other files',
  chooseAgain: 'Choose the files again: your browser has not kept them.',
  latest: 'What your latest runs took',
  spent: (kind: string, runs: number, { costUsd, minutes }: SpentRange): string =>
    `${kind}, of ${runs}: ${formatRange(costs, costUsd)}, ${formatRange(durations, minutes)}`,
  problem: 'This did not work',
  back: 'Back to the runs',
};

function inputNoun(areFiles: boolean): string {
  return areFiles ? 'file' : 'source';
}

function countedInputs(amount: number, areFiles: boolean): string {
  return groupedCount(amount, inputNoun(areFiles));
}

function formatRange(format: Intl.NumberFormat, [from, to]: readonly [number, number]): string {
  return format.format(from) === format.format(to) ? format.format(to) : format.formatRange(from, to);
}
