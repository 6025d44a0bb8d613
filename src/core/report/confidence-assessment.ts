import type { ReportClaim } from '../../contracts/report/report';
import { confidenceRemark, confidenceText } from '../evidence/confidence';
import { asOfNote } from '../writing/as-of';
import { quotedIfVerbatim } from '../writing/quotation';
import { shorten } from '../writing/shorten';
import { capitalised } from '../writing/within-sentence';
import { type CitationLabels, labelMarks } from './citation-numbers';
import type { AssessedFinding, MajorFindings } from './major-findings';

const CLAIM_WORDS = 30;
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * The Confidence Assessment's paragraphs: the findings that the report rests on most, then in a sentence each how many
 * there are besides, what could not be checked, and what rests on fewer sources than wanted.
 */
export function confidenceAssessment(
  findings: MajorFindings,
  told: readonly AssessedFinding[],
  {
    counts,
    countedIds,
    threshold,
    wantedSources,
    labels,
  }: {
    /** Claims that count what several sources say, of which these agree, numbered. */
    counts: readonly Pick<ReportClaim, 'text' | 'confidence' | 'citations'>[];
    /** The findings that they count. */
    countedIds: ReadonlySet<string>;
    threshold: number;
    wantedSources: number;
    labels: CitationLabels;
  },
): string[] {
  if (findings.listed.length === 0) return ['There is no finding to assess.'];
  const remarks = [
    aboutTheOthers(findings, threshold),
    aboutUnvalidated(told),
    aboutFewSources(findings, wantedSources, countedIds),
  ].filter((remark) => remark !== null);
  const list = [...counts.map(countAssessment), ...findings.listed.map((entry) => assessment(entry, labels))]
    .map((line) => `- ${line}`)
    .join('\n');
  return [list, ...(remarks.length === 0 ? [] : [remarks.join(' ')])];
}

/** `“X”: High confidence (0.95) - Supported by 5 authoritative sources [1][2][3][4][5]`, as in document 002. */
function assessment({ finding, citations }: AssessedFinding, labels: CitationLabels): string {
  const claim = quotedIfVerbatim(finding.claim, finding.evidence, (text) => shorten(text, CLAIM_WORDS));
  const first = citations.find(({ sourceId }) => sourceId === finding.evidence[0]?.sourceId);
  const remark = confidenceRemark([finding]).replace(
    'confidence',
    `confidence (${shown(finding.confidence)})`,
  );
  const marks = labelMarks(
    citations.map(({ sourceId }) => sourceId),
    labels,
  );
  return `${claim}${asOfNote(finding.claim, first?.publishedAt, '')}: ${remark} - Supported by ${support(citations)} ${marks}`;
}

/** `Of 5 sources … [1][2][3], and 2 report none [4][5]: Low confidence (0.60) - Counted over 5 sources`. */
function countAssessment({
  text,
  confidence,
  citations,
}: Pick<ReportClaim, 'text' | 'confidence' | 'citations'>): string {
  return `${text.replace(/\.$/, '')}: ${confidenceText(confidence)} - Supported by ${citations.length} sources`;
}

/** `5 authoritative sources`, `5 sources, 2 of them authoritative`, `one general source`. */
function support(citations: AssessedFinding['citations']): string {
  const authoritative = citations.filter(({ quality }) => quality.level === 'authoritative').length;
  const all = citations.length;
  if (authoritative === 0) return all === 1 ? 'one general source' : `${all} general sources`;
  if (authoritative === all) return all === 1 ? 'one authoritative source' : `${all} authoritative sources`;
  return `${all} sources, ${authoritative === 1 ? 'one' : authoritative} of them authoritative`;
}

function aboutTheOthers({ major, reached, listed, below }: MajorFindings, threshold: number): string | null {
  if (!reached) {
    const these = listed.length === 1 ? 'this is the one' : 'these are the ones';
    const which = below > listed.length ? `these are the ${listed.length} of ${below}` : these;
    return `No finding reaches the confidence of ${shown(threshold)} from which findings count as major; ${which} that can be relied on most.`;
  }
  const unlisted = major.length - listed.length;
  const others = [
    unlisted === 0
      ? ''
      : `${number(unlisted)} more of them ${unlisted === 1 ? 'stands' : 'stand'} in the sections above`,
    below === 0 ? '' : `${counted(below, 'further finding')} ${below === 1 ? 'lies' : 'lie'} below that`,
  ].filter((part) => part !== '');
  return others.length === 0
    ? null
    : `Major findings are those with a confidence of ${shown(threshold)} or more; ${others.join(', and ')}.`;
}

function aboutUnvalidated(told: readonly AssessedFinding[]): string | null {
  const open = told.filter(({ finding }) => finding.unvalidated).length;
  if (open === 0) return null;
  const stands =
    open === 1
      ? 'it has the confidence that its own source gives it'
      : 'they have the confidence that their own sources give them';
  return sentence(
    `${open === told.length && open > 1 ? `all ${number(open)} findings` : counted(open, 'finding')} could not be held against further sources: ${stands}`,
  );
}

function aboutFewSources(
  { major, reached }: MajorFindings,
  wanted: number,
  countedIds: ReadonlySet<string>,
): string | null {
  const few = major.filter(
    ({ finding, citations }) => citations.length < wanted && !countedIds.has(finding.id),
  ).length;
  if (few === 0) return null;
  const kind = reached ? 'major finding' : 'finding listed';
  const all = reached ? `${number(major.length)} major findings` : `${number(major.length)} findings listed`;
  const which =
    few < major.length ? `${number(few)} of the ${all}` : few === 1 ? `the one ${kind}` : `all ${all}`;
  const rests = few === 1 ? 'rests' : 'rest';
  return sentence(
    `${which} ${rests} on fewer than ${number(wanted)} sources${countedIds.size === 0 ? '' : `, and ${few === 1 ? 'is' : 'are'} counted with no others`}; nothing was added to fill them up`,
  );
}

function sentence(text: string): string {
  return `${capitalised(text)}.`;
}

function counted(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

function number(amount: number): string {
  return NUMBERS[amount] ?? `${amount}`;
}

function shown(confidence: number): string {
  return confidence.toFixed(2);
}
