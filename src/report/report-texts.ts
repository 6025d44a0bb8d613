import type { Verdict } from '../contracts/finding';
import { counted, formatList } from '../contracts/wording';

/** English texts of `report.md`, and of its sections without a model. */
export const reportTexts = {
  headings: {
    summary: 'Executive Summary',
    conflicts: 'Conflicting Evidence',
    gaps: 'Information Gaps',
    limits: 'Limits and open questions',
    followUps: 'Follow-up Questions',
    evidence: 'Evidence',
    sources: 'Sources',
  },
  disputed: 'Disputed',
  undisputed: 'Also reported',
  against: 'In conflict with this:',
  unlikely: 'None of these sentences is likely to answer the question; they come nearest.',
  noAnswer: (sources: number): string =>
    `No answer was found in ${sources === 1 ? 'the one source' : `the ${sources} sources`} that the report was given, so it has no sections.`,
  nearest: (named: readonly string[]): string => `Nearest are: ${named.join(', ')}.`,
  noSource: 'No source is cited.',
  accessed: (date: string): string => `Accessed ${date}.`,
  authoritative: 'Authoritative',
  general: 'General',
  summaryOnly: 'Read by its summary only.',
  abstractOnly: 'Only its abstract.',
  partsOf: (work: string): string =>
    `Parts of one document, which count once${work === '' ? '' : `: “${work}”`}`,
  versionOf: (n: number): string => `Another version of [${n}].`,
  retracted: 'Retracted.',
  searched: ({ indexes, queries, found, read, abstracts, unread, rounds }: SearchCounts): string => {
    const how = `${queries === 1 ? 'one query' : `${queries} queries`}${rounds === 1 ? '' : ` in ${rounds} rounds`}`;
    const partly =
      abstracts === 0 ? '' : `, ${abstracts} by ${abstracts === 1 ? 'its' : 'their'} abstract alone`;
    const others = unread === 0 ? '' : `; ${unread} not`;
    return `Searched: ${formatList(indexes)}, with ${how}. Of ${found} found ${read} ${read === 1 ? 'was' : 'were'} read${partly}${others}.`;
  },
  retractedCited: (titles: readonly string[]): string =>
    `Retracted, by what the searched indexes say: ${formatList(titles.map((title) => `“${title}”`))}.`,
  ofOneWork: (parts: number, cited: number, title: string): string =>
    `${parts === cited ? `All ${cited}` : `${parts} of ${cited}`} cited sources are parts of one document, “${title}”, so that their agreement confirms nothing.`,
  readBySummary: (read: number, cited: number): string =>
    read === cited
      ? 'All sources that are cited were read by their summaries only.'
      : `${read} of ${counted(cited, 'cited source')} ${read === 1 ? 'was read by its summary' : 'were read by their summaries'} only.`,
  notChecked: (unchecked: number, stated: number): string =>
    `This text is not checked in full: ${unchecked} of ${counted(stated, 'cited statement')} could not be checked and ${unchecked === 1 ? 'is' : 'are'} marked.`,
  moreFallbacks: (more: number): string =>
    `${counted(more, 'more step')} fell back; the warnings in report.json say why.`,
  check: checkLine,
  checked: checkText,
  noClaim: 'The report makes no claim: 0 of 0.',
  allSupported: (claims: number, by: EvidenceKind): string =>
    claims === 1
      ? 'The one claim is supported by what it cites: 1 of 1.'
      : `All ${claims} claims are supported by ${EVIDENCE_TEXTS[by]}: ${claims} of ${claims}.`,
  claimsHeld: (
    claims: number,
    by: EvidenceKind,
    counts: readonly { verdict: Verdict; amount: number }[],
    became: string,
  ): string => {
    const told = counts.map(({ verdict, amount }) =>
      verdict === 'supported'
        ? `${amount} supported (${amount} of ${claims})`
        : `${amount} ${VERDICT_TEXTS[verdict]}`,
    );
    return `${counted(claims, 'claim')} ${claims === 1 ? 'was' : 'were'} held against ${EVIDENCE_TEXTS[by]}: ${told.join(', ')}.${became}`;
  },
  claimsOpen: (
    open: number,
    fates: readonly { fate: ClaimOutcome; amount: number }[],
    asides: string,
  ): string => {
    const isOne = fates.length === 1;
    const are = open === 1 ? 'The one that is' : `${isOne ? 'The' : 'Of the'} ${open} that are`;
    const told = fates.map(({ fate, amount }) => {
      const [one, more] = OUTCOME_TEXTS[fate];
      return isOne ? (amount === 1 ? one : more) : `${amount} ${amount === 1 ? one : more}`;
    });
    return ` ${are} not supported${isOne ? '' : ','} ${formatList(told)}${asides}.`;
  },
  /** Omits the extension: renderers take `set-aside.md` for a Moldovan address. */
  asidesListed: (parts: readonly { amount: number; part: string }[]): string => {
    const amount = parts.reduce((sum, part) => sum + part.amount, 0);
    const told = formatList(parts.map((part) => `${part.amount} in ${part.part}`));
    return `; set aside: ${told}, listed with the ${amount === 1 ? 'reason' : 'reasons'} in report.json and in the file “set-aside” beside it`;
  },
  citesFew: ({ cited, most, wanted, countsRelevantOnly }: FewCitations): string => {
    return `This report cites ${cited === 0 ? 'none' : cited} of ${counted(most, 'source')}${countsRelevantOnly ? ' on its question' : ''}; ${wanted} were wanted.`;
  },
  support: (all: number, authoritative: number): string => {
    if (authoritative > 0 && authoritative < all)
      return `${all} sources, ${authoritative === 1 ? 'one' : authoritative} of them authoritative`;
    const kind = authoritative === 0 ? 'general' : 'authoritative';
    return all === 1 ? `one ${kind} source` : `${all} ${kind} sources`;
  },
  setAside: {
    title: (title: string): string => `Set aside: ${title}`,
    notice:
      'These sentences were written for the text of this title and do not stand in it, because what they cite was not found to bear them. They are listed so that the check can be checked; they are not to be passed on as findings.',
    ofSummary: (part: string): string => `The given summary of ${part}`,
    lookedAt: (place: string): string => `Place looked at: ${place}.`,
    better: (sources: string): string => `What bears it better: ${sources}.`,
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

export interface Check {
  by: 'quoting' | 'words' | 'same-model' | 'other-model';
  /** Statements that cite; of these the supported, inferred and unchecked ones. */
  stated: number;
  supported: number;
  inference: number;
  unchecked: number;
  /** Confirmed, with a number that no cited passage has and no calculation gives. */
  numberAbsent: number;
  /** In the text although a check found less support. */
  doubtful: number;
  setAside: number;
}

export const CHECK_LINE = 'How this was checked: ';

const CHECKED_BY: Readonly<Record<Exclude<Check['by'], 'quoting'>, string>> = {
  words: 'checked by comparing words, without a model',
  'same-model': 'checked in a separate call of the same model',
  'other-model': 'checked by another model than the one that wrote them',
};

function checkLine(told: Check): string {
  return `${CHECK_LINE}${checkText(told)} Details: report.html.`;
}

function checkText(told: Check): string {
  const { by, stated, supported, inference, setAside } = told;
  const isQuoted = by === 'quoting' && supported === stated;
  const how = by === 'quoting' ? '' : ` (${CHECKED_BY[by]})`;
  const concluded =
    inference === 0
      ? ''
      : ` and ${inference} ${inference === 1 ? 'is a conclusion' : 'are conclusions'} from them`;
  const outcome =
    stated === 0
      ? 'the report states nothing that cites a source.'
      : isQuoted
        ? `${stated === 1 ? 'the one statement is a quotation that stands' : `all ${stated} statements are quotations that stand`} word for word in the source; how well they answer was not judged.`
        : supported === stated
          ? `${stated === 1 ? 'the one cited statement is supported by the passages it cites' : `all ${stated} cited statements are supported by the passages they cite`}${how}.`
          : `${supported} of ${counted(stated, 'cited statement')} ${supported === 1 ? 'is' : 'are'} supported by the passages they cite${concluded}${how}.`;
  const isRead = by === 'same-model' || by === 'other-model';
  const open = [
    ...(isRead ? openByCritic(told) : openByWords(told)),
    ...(setAside === 0 ? [] : [`${setAside} ${setAside === 1 ? 'was' : 'were'} set aside.`]),
  ];
  return [outcome, ...open].join(' ');
}

function openByWords({ unchecked, doubtful }: Check): string[] {
  return [
    ...(unchecked === 0
      ? []
      : [`${unchecked} could not be checked and ${unchecked === 1 ? 'is' : 'are'} marked.`]),
    ...(doubtful === 0 ? [] : [`${doubtful} ${doubtful === 1 ? 'puts' : 'put'} loosely what is cited.`]),
  ];
}

/** The web page marks them; the text reads better without marks. */
function openByCritic({ unchecked, numberAbsent, doubtful }: Check): string[] {
  return [
    ...(unchecked + doubtful === 0 ? [] : [`${unchecked + doubtful} could not be confirmed in full.`]),
    ...(numberAbsent === 0
      ? []
      : [`In ${numberAbsent} a number does not stand word for word in what is cited.`]),
    'Sentences without a citation are the report’s own.',
  ];
}

export interface SearchCounts {
  indexes: readonly string[];
  queries: number;
  rounds: number;
  found: number;
  /** Includes those read by abstract only. */
  read: number;
  abstracts: number;
  unread: number;
}

export type EvidenceKind = 'passages' | 'statements';
export type ClaimOutcome = 'left-out' | 'removed' | 'stands';
export interface FewCitations {
  cited: number;
  most: number;
  wanted: number;
  /** True if not all given sources are relevant. */
  countsRelevantOnly: boolean;
}
const EVIDENCE_TEXTS: Readonly<Record<EvidenceKind, string>> = {
  passages: 'the passages that they cite',
  statements: 'the statements of the summaries that they rest on',
};

const VERDICT_TEXTS: Readonly<Record<Exclude<Verdict, 'supported'>, string>> = {
  inference: 'inferred by the report from what it cites',
  partial: 'partial',
  contradicted: 'contradicted',
  unsupported: 'unsupported',
  unchecked: 'unchecked',
};

const OUTCOME_TEXTS: Readonly<Record<ClaimOutcome, readonly [one: string, more: string]>> = {
  'left-out': ['is left out', 'are left out'],
  removed: ['is removed', 'are removed'],
  stands: ['stands as it was written', 'stand as they were written'],
};

export const SUMMARY_ID = 'summary';

export function titleOfPart(sections: readonly { id: string; title: string }[]): (id: string) => string {
  const titles = new Map([
    [SUMMARY_ID, reportTexts.headings.summary],
    ...sections.map(({ id, title }) => [id, title] as const),
  ]);
  return (id) => titles.get(id) ?? id;
}
