import type { Verdict } from '../contracts/verification/claim-verdict';
import { counted, inRange, inSeries, numberWord, score } from './writing';

/** What `report.md` says around its sections, and the text of these where no model writes it. */
export const reportTexts = {
  headings: {
    summary: 'Executive Summary',
    conflicts: 'Conflicting Evidence',
    gaps: 'Information Gaps',
    confidence: 'Confidence Assessment',
    followUps: 'Follow-up Questions',
    evidence: 'Evidence',
    sources: 'Sources',
  },
  disputed: 'Disputed',
  undisputed: 'Also reported',
  against: 'In conflict with this:',
  unlikely: 'None of these sentences is likely to answer the question; they come nearest.',
  noGap: 'None was found.',
  nothingFound: (isEndedEarly: boolean): string =>
    `Nothing was found for this section${isEndedEarly ? ' before the run ended' : ''}.`,
  noAnswer: (sources: number): string =>
    `No answer was found in ${sources === 1 ? 'the one source' : `the ${sources} sources`} that the report was given, so it has no sections.`,
  nearest: (named: readonly string[]): string => `Nearest are: ${named.join(', ')}.`,
  noSource: 'No source is cited.',
  accessed: (date: string): string => `Accessed ${date}.`,
  authoritative: 'Authoritative',
  general: 'General',
  summaryOnly: 'Read by its summary only.',
  abstractOnly: 'Only its abstract.',
  partsOf: (work: string): string => `Parts of one document, which count once: “${work}”`,
  versionOf: (n: number): string => `Another version of [${n}].`,
  retracted: 'Retracted.',
  searched: ({ indexes, queries, found, read, abstracts, unread, rounds }: Searched): string => {
    const how = `${queries === 1 ? 'one query' : `${queries} queries`}${rounds === 1 ? '' : ` in ${rounds} rounds`}`;
    const partly =
      abstracts === 0 ? '' : `, ${abstracts} by ${abstracts === 1 ? 'its' : 'their'} abstract alone`;
    const others = unread === 0 ? '' : `; ${unread} not, each listed with the reason in report.json`;
    return `Searched: ${inSeries(indexes)}, with ${how}. Of ${found} found ${read} ${read === 1 ? 'was' : 'were'} read${partly}${others}.`;
  },
  retractedCited: (titles: readonly string[]): string =>
    `Retracted, by what the searched indexes say: ${inSeries(titles.map((title) => `“${title}”`))}.`,
  noClaim: 'The report makes no claim: 0 of 0.',
  allQuotes: (claims: number): string =>
    `${claims} of ${counted(claims, 'claim')} ${claims === 1 ? 'stands' : 'stand'} where cited (${counted(claims, 'quote')}); that says nothing of how well ${claims === 1 ? 'it answers' : 'they answer'}.`,
  allSupported: (claims: number, by: Bearing): string =>
    claims === 1
      ? 'The one claim is supported by what it cites: 1 of 1.'
      : `All ${claims} claims are supported by ${BEARING[by]}: ${claims} of ${claims}.`,
  claimsHeld: (
    claims: number,
    by: Bearing,
    counts: readonly { verdict: Verdict; amount: number }[],
    became: string,
  ): string => {
    const told = counts.map(({ verdict, amount }) =>
      verdict === 'supported'
        ? `${amount} supported (${amount} of ${claims})`
        : `${amount} ${VERDICTS[verdict]}`,
    );
    return `${counted(claims, 'claim')} ${claims === 1 ? 'was' : 'were'} held against ${BEARING[by]}: ${told.join(', ')}.${became}`;
  },
  /** Of claims that are not supported, by what became of them, those of which there are none left out. */
  claimsOpen: (open: number, fates: readonly { fate: Fate; amount: number }[], asides: string): string => {
    const isOne = fates.length === 1;
    const are = open === 1 ? 'The one that is' : `${isOne ? 'The' : 'Of the'} ${open} that are`;
    const told = fates.map(({ fate, amount }) => {
      const [one, more] = FATES[fate];
      return isOne ? (amount === 1 ? one : more) : `${amount} ${amount === 1 ? one : more}`;
    });
    return ` ${are} not supported${isOne ? '' : ','} ${inSeries(told)}${asides}.`;
  },
  /** The file is told without its ending: renderers take `set-aside.md` for an address of Moldova. */
  asidesListed: (parts: readonly { amount: number; part: string }[]): string => {
    const amount = parts.reduce((sum, part) => sum + part.amount, 0);
    const told = inSeries(parts.map((part) => `${part.amount} in ${part.part}`));
    return `; set aside: ${told}, listed with the ${amount === 1 ? 'reason' : 'reasons'} in report.json and in the file “set-aside” beside it`;
  },
  citesFew: ({ cited, most, wanted, isOfBearing }: FewCited): string => {
    return `This report cites ${cited === 0 ? 'none' : cited} of ${counted(most, 'source')}${isOfBearing ? ' on its question' : ''}; ${wanted} were wanted.`;
  },
  nothingToAssess: 'There is no finding to assess.',
  assessed: (confidence: string, what: string, support: string): string =>
    `${confidence}: ${what} - Supported by ${support}`,
  assessedFindings: (amount: number): string => `${numberWord(amount)} finding${amount === 1 ? '' : 's'}`,
  support: (all: number, authoritative: number, isEach: boolean): string => {
    const each = isEach ? ' each' : '';
    if (authoritative > 0 && authoritative < all)
      return `${all} sources, ${authoritative === 1 ? 'one' : authoritative} of them authoritative${each}`;
    const kind = authoritative === 0 ? 'general' : 'authoritative';
    return `${all === 1 ? `one ${kind} source` : `${all} ${kind} sources`}${each}`;
  },
  noneReaches: (threshold: number, listed: number, below: number): string => {
    const which =
      below > listed
        ? `these are the ${listed} of ${below}`
        : listed === 1
          ? 'this is the one'
          : 'these are the ones';
    return `No finding reaches the confidence of ${score(threshold)} from which findings count as major; ${which} that can be relied on most.`;
  },
  /** `levels` are how sure they are, as `Medium confidence (0.65)`. */
  othersBelow: (below: number, threshold: number, levels: readonly string[]): string =>
    `${numberWord(below)} further finding${below === 1 ? '' : 's'}, of ${inRange(levels)}, ${below === 1 ? 'lies' : 'lie'} below the ${score(threshold)} of major ones.`,
  notCrossChecked: (open: number, all: number): string => {
    const which =
      open === all && open > 1
        ? `all ${numberWord(open)} findings`
        : `${numberWord(open)} finding${open === 1 ? '' : 's'}`;
    const stands =
      open === 1
        ? 'it has the confidence that its own source gives it'
        : 'they have the confidence that their own sources give them';
    return `${which} could not be held against further sources: ${stands}.`;
  },
  setAside: {
    title: (title: string): string => `Set aside: ${title}`,
    notice:
      'These sentences were written for the text of this title and do not stand in it, because what they cite was not found to bear them. They are listed so that the check can be checked; they are not to be passed on as findings.',
    ofSummary: (part: string): string => `The given summary of ${part}`,
    lookedAt: (place: string): string => `Place looked at: ${place}.`,
    better: (sources: string): string => `What bears it better: ${sources}.`,
    replaced: 'The words of its finding stand in its place.',
    leftOut: 'It is left out.',
    verdicts: {
      supported: 'supported',
      inference: 'inference',
      partial: 'partial',
      contradicted: 'contradicted',
      unsupported: 'unsupported',
      unchecked: 'unchecked',
    } satisfies Record<Verdict, string> as Record<Verdict, string>,
  },
};

export interface Searched {
  indexes: readonly string[];
  queries: number;
  rounds: number;
  found: number;
  /** Those by their abstract alone among them. */
  read: number;
  abstracts: number;
  unread: number;
}

/** What claims were held against: the passages that they cite, or, of a brief, statements of summaries. */
export type Bearing = 'passages' | 'statements';
export type Fate = 'replaced' | 'left-out' | 'removed' | 'stands';
export interface FewCited {
  cited: number;
  most: number;
  wanted: number;
  /** Whether not all that were given bear on the question. */
  isOfBearing: boolean;
}
const BEARING: Readonly<Record<Bearing, string>> = {
  passages: 'the passages that they cite',
  statements: 'the statements of the summaries that they rest on',
};

const VERDICTS: Readonly<Record<Exclude<Verdict, 'supported'>, string>> = {
  inference: 'inferred by the report from what it cites',
  partial: 'partial',
  contradicted: 'contradicted',
  unsupported: 'unsupported',
  unchecked: 'unchecked',
};

const FATES: Readonly<Record<Fate, readonly [one: string, more: string]>> = {
  replaced: ['is replaced by the words of its finding', 'are replaced by the words of their findings'],
  'left-out': ['is left out', 'are left out'],
  removed: ['is removed', 'are removed'],
  stands: ['stands as it was written', 'stand as they were written'],
};
