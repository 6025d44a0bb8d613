import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import { confidenceWord } from '../evidence/confidence';
import { groupedBy } from '../values/grouped-by';
import { capitalised } from '../writing/within-sentence';
import { type CitationLabels, labelMarks } from './citation-numbers';
import { countWorks } from './report-citations';
import type { AssessedFinding, MajorFindings } from './major-findings';

/**
 * The Confidence Assessment's paragraphs: how sure the findings are that the report rests on most, then in a sentence each how many
 * there are besides and how sure these are, and what could not be checked.
 */
export function confidenceAssessment(
  findings: MajorFindings,
  told: readonly AssessedFinding[],
  { threshold, labels }: { threshold: number; labels: CitationLabels },
): string[] {
  if (findings.listed.length === 0) return [reportTexts.nothingToAssess];
  const remarks = [aboutTheOthers(findings, told, threshold), aboutUnvalidated(told)].filter(
    (remark) => remark !== null,
  );
  const list = assessmentLines(
    findings.major.map((finding) => assessed(finding)),
    labels,
  );
  return [
    list.map((line) => `- ${line}`).join('\n'),
    ...(remarks.length === 0 ? [] : [remarks.map(capitalised).join(' ')]),
  ];
}

interface Assessed {
  confidence: number;
  /** `Medium confidence (0.75)`. */
  remark: string;
  /** `one authoritative source`, each of several. */
  support: (isEach: boolean) => string;
  sourceIds: string[];
}

function assessed({ finding, citations }: AssessedFinding): Assessed {
  const authoritative = citations.filter(({ quality }) => quality.level === 'authoritative');
  return {
    confidence: finding.confidence,
    remark: remarkOf(finding),
    support: (isEach) => reportTexts.support(countWorks(citations), countWorks(authoritative), isEach),
    sourceIds: citations.map(({ sourceId }) => sourceId),
  };
}

/** `Medium confidence (0.75), not cross-checked`. */
function remarkOf({ confidence, unvalidated }: AssessedFinding['finding']): string {
  return writingTexts.confidence(confidenceWord(confidence), unvalidated !== true, confidence);
}

/**
 * `High confidence (0.95): one finding - Supported by 5 authoritative sources [1][2][3][4][5]`, as in document 002, from the surest on.
 * Findings as sure and as well supported are told together; of those that most are alike the text has the sources.
 */
function assessmentLines(all: readonly Assessed[], labels: CitationLabels): string[] {
  const groups = [...groupedBy(all, ({ remark, support }) => `${remark}\n${support(false)}`).values()];
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
      const what = reportTexts.assessedFindings(group.length);
      const line = reportTexts.assessed(capitalised(first.remark), what, first.support(!isOne));
      return `${line}${isOne || group.length < most ? ` ${marks}` : ''}`.trimEnd();
    });
}

/** The words for how sure they are reach over the threshold: what lies below it is told with its figure. */
function aboutTheOthers(
  { reached, listed, below }: MajorFindings,
  told: readonly AssessedFinding[],
  threshold: number,
): string | null {
  if (!reached) return reportTexts.noneReaches(threshold, listed.length, below);
  const others = told
    .map(({ finding }) => finding)
    .filter(({ confidence }) => confidence < threshold)
    .sort((one, other) => other.confidence - one.confidence);
  const levels = [...new Set(others.map((finding) => remarkOf(finding)))];
  return below === 0 ? null : reportTexts.othersBelow(below, threshold, levels);
}

function aboutUnvalidated(told: readonly AssessedFinding[]): string | null {
  const open = told.filter(({ finding }) => finding.unvalidated).length;
  return open === 0 ? null : reportTexts.notCrossChecked(open, told.length);
}
