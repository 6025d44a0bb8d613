import type { RunKind } from '../contracts/kinds';
import type { Verdict } from '../contracts/verification/claim-verdict';
import type { Check } from './report';
import { counted } from './writing';

export const pageTexts = {
  kinds: { report: 'Report', answer: 'Answer', brief: 'Brief' } satisfies Record<RunKind, string> as Record<
    RunKind,
    string
  >,
  asOf: (date: string): string => ` as of ${date}`,
  from: (sources: number): string => `, from ${counted(sources, 'source')}`,
  /** Beside the title; what it counts is told in full behind the text. */
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
  /** The tooltip of one in the text. */
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
  /** Of what a source says, in the table of evidence. */
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
  /** Before the number, at the foot of each page of paper. */
  footPage: ', page ',
  ofSummary: ', as the given summary has it',
  /** Why the text around a quote is not shown, and where the rest is read; the licence stands between two texts. */
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
};
