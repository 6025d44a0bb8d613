import type { ReportClaim } from '../../contracts/report/report';
import { confidenceRemark, confidenceText } from '../evidence/confidence';
import { groupedBy } from '../values/grouped-by';
import { capitalised } from '../writing/within-sentence';
import { type CitationLabels, labelMarks } from './citation-numbers';
import type { AssessedFinding, MajorFindings } from './major-findings';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

type CountedClaim = Pick<ReportClaim, 'confidence' | 'citations'>;

/**
 * The Confidence Assessment's paragraphs: how sure the findings are that the report rests on most, then in a sentence each how many
 * there are besides, what could not be checked, and what rests on fewer sources than wanted.
 */
export function confidenceAssessment(
  findings: MajorFindings,
  told: readonly AssessedFinding[],
  {
    counts,
    threshold,
    wantedSources,
    labels,
  }: {
    /** Claims that count what several sources say, of which these agree, numbered. */
    counts: readonly CountedClaim[];
    threshold: number;
    wantedSources: number;
    labels: CitationLabels;
  },
): string[] {
  if (findings.listed.length === 0) return ['There is no finding to assess.'];
  const remarks = [
    aboutTheOthers(findings, threshold),
    aboutUnvalidated(told),
    aboutFewSources(findings, wantedSources),
  ].filter((remark) => remark !== null);
  const list = assessmentLines([...findings.major.map(assessed), ...counts.map(assessedCount)], labels);
  return [list.map((line) => `- ${line}`).join('\n'), ...(remarks.length === 0 ? [] : [remarks.join(' ')])];
}

/** What is assessed: how sure it is, by what it is supported, and which sources that are. */
interface Assessed {
  confidence: number;
  /** `Medium confidence (0.75)`. */
  remark: string;
  /** `one authoritative source`. */
  support: string;
  noun: 'finding' | 'count of results';
  sourceIds: string[];
}

function assessed({ finding, citations }: AssessedFinding): Assessed {
  const { confidence } = finding;
  const remark = confidenceRemark([finding]).replace('confidence', `confidence (${shown(confidence)})`);
  const sourceIds = citations.map(({ sourceId }) => sourceId);
  return { confidence, remark, support: support(citations), noun: 'finding', sourceIds };
}

function assessedCount({ confidence, citations }: CountedClaim): Assessed {
  return {
    confidence,
    remark: confidenceText(confidence),
    support: `${citations.length} sources`,
    noun: 'count of results',
    sourceIds: [],
  };
}

/**
 * `High confidence (0.95): one finding - Supported by 5 authoritative sources [1][2][3][4][5]`, as in document 002, from the surest on.
 * Findings as sure and as well supported are told together; of those that most are alike the text has the sources.
 */
function assessmentLines(all: readonly Assessed[], labels: CitationLabels): string[] {
  const groups = [...groupedBy(all, ({ remark, support: by, noun }) => `${remark}\n${noun}\n${by}`).values()];
  const most = Math.max(...groups.map((group) => group.length));
  return groups
    .sort(([one], [other]) => (other?.confidence ?? 0) - (one?.confidence ?? 0))
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const isOne = group.length === 1;
      const marks = labelMarks(
        group.flatMap(({ sourceIds }) => sourceIds),
        labels,
      );
      const named = isOne || group.length < most ? ` ${marks}` : '';
      return `${first.remark}: ${counted(group.length, first.noun)} - Supported by ${first.support}${isOne ? '' : ' each'}${named}`.trimEnd();
    });
}

/** `5 authoritative sources`, `5 sources, 2 of them authoritative`, `one general source`. */
function support(citations: AssessedFinding['citations']): string {
  const authoritative = citations.filter(({ quality }) => quality.level === 'authoritative').length;
  const all = citations.length;
  if (authoritative === 0) return all === 1 ? 'one general source' : `${all} general sources`;
  if (authoritative === all) return all === 1 ? 'one authoritative source' : `${all} authoritative sources`;
  return `${all} sources, ${authoritative === 1 ? 'one' : authoritative} of them authoritative`;
}

function aboutTheOthers({ reached, listed, below }: MajorFindings, threshold: number): string | null {
  if (!reached) {
    const these = listed.length === 1 ? 'this is the one' : 'these are the ones';
    const which = below > listed.length ? `these are the ${listed.length} of ${below}` : these;
    return `No finding reaches the confidence of ${shown(threshold)} from which findings count as major; ${which} that can be relied on most.`;
  }
  return below === 0
    ? null
    : sentence(
        `${counted(below, 'further finding')} ${below === 1 ? 'lies' : 'lie'} below ${shown(threshold)}, from which findings count as major`,
      );
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

function aboutFewSources({ major, reached }: MajorFindings, wanted: number): string | null {
  const few = major.filter(({ citations }) => citations.length < wanted).length;
  if (few === 0) return null;
  const kind = reached ? 'major finding' : 'finding listed';
  const all = reached ? `${number(major.length)} major findings` : `${number(major.length)} findings listed`;
  const which =
    few < major.length ? `${number(few)} of the ${all}` : few === 1 ? `the one ${kind}` : `all ${all}`;
  const rests = few === 1 ? 'rests' : 'rest';
  return sentence(`${which} ${rests} on fewer than ${number(wanted)} sources`);
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
