import type { Answer } from '../../contracts/answer';
import type { Brief } from '../../contracts/brief';
import type {
  ChangedFinding,
  DiffFinding,
  DiffSetAside,
  DiffSource,
  Report,
  ReportDiff,
} from '../../contracts/report';
import type { ChangeKind, DiffSummary, SinceLast } from '../../contracts/run-input';
import { countVerdicts } from '../../evidence/decide-statement';
import { groupBy } from '../../lib/iterables';
import { toSafeLine } from '../../lib/untrusted-text';
import { sentenceKey } from '../../text/duplicates';
import { changeLines, conflictLine, sourceList, sourceText, statementText, titleText } from './diff-lines';

/** Maximum number of changes in the summary, and of each kind; `diff` lists all of them. */
const MAX_CHANGES = 12;
const MAX_OF_KIND = 3;
const STATEMENT_WORDS = 30;

export function sinceLast(diff: ReportDiff): SinceLast {
  const all = changesOf(diff);
  const told = all.flatMap(([kind, lines]) => lines.slice(0, MAX_OF_KIND).map((line) => ({ kind, line })));
  const changes = told.slice(0, MAX_CHANGES);
  const count = all.reduce((sum, [, lines]) => sum + lines.length, 0);
  return {
    runId: diff.before.id,
    asOf: diff.before.asOf,
    changed: isChanged(diff.summary),
    summary: diff.summary,
    changes,
    more: count - changes.length,
  };
}

export function sinceDeletedRun(runId: string): SinceLast {
  return { runId, asOf: null, changed: null, summary: null, changes: [], more: 0 };
}

function isChanged({ sources: { read, ...cited }, ...rest }: DiffSummary): boolean {
  return [...Object.values(rest), cited, read ?? {}]
    .flatMap((counts) => Object.entries<number>(counts))
    .some(([what, amount]) => amount > 0 && what !== 'unchanged' && what !== 'inBoth');
}

function changesOf({ sources, findings, conflicts, setAside, gaps }: ReportDiff): [ChangeKind, string[]][] {
  const aside = new Set(setAside.newly.map(({ text }) => sentenceKey(text)));
  const isAside = (statement: string): boolean => aside.has(sentenceKey(statement));
  // A finding that was rejected is listed as rejected, not as gone.
  const goneToTell = [...findings.withdrawn, ...findings.notQuoted].filter(
    ({ statement }) => !isAside(statement),
  );
  const source = (list: readonly DiffSource[] = []): string[] => list.map(sourceText);
  return [
    ['source-came', source(sources.read?.came)],
    ['source-changed', source(sources.read?.changed)],
    ['source-went', source(sources.read?.went)],
    ['conflict-opened', conflicts.opened.map(conflictLine)],
    ['conflict-changed', conflicts.changed.map(({ after }) => conflictLine(after))],
    ['conflict-closed', conflicts.closed.map(conflictLine)],
    ['finding-changed', findings.changed.map((finding) => changedLine(finding, isAside))],
    ['finding-new', [...findings.new, ...findings.newlyQuoted].map(findingLine)],
    ['finding-gone', goneToTell.map(findingLine)],
    ['set-aside', setAside.newly.map(rejectedClaimLine)],
    ['gap-opened', gaps.opened.map(toSafeLine)],
    ['gap-closed', gaps.closed.map(toSafeLine)],
  ];
}

function findingLine(finding: DiffFinding): string {
  return `${statementText(finding, STATEMENT_WORDS)} — ${sourceList(finding.sources)}; in ${titleText(finding.section)}`;
}

function changedLine({ after, changes }: ChangedFinding, isAside: (statement: string) => boolean): string {
  const tellable = changes.filter((change) => change.kind !== 'wording' || !isAside(change.before));
  const told = changeLines(tellable, after.sources.length).map((line) => line.replace(/^\s*- /, ''));
  return `${statementText(after, STATEMENT_WORDS)} — in ${titleText(after.section)}. ${told.join('; ')}`;
}

/** Names the section and the verdict; no report repeats a rejected sentence. */
function rejectedClaimLine({ verdict, section }: DiffSetAside): string {
  return `one sentence in ${titleText(section)}, ${verdict}`;
}

const ANSWER = 'answer';

/** Answers do not rate sources. */
const QUALITY = { level: 'general', reason: '' } as const;

/** Converts an answer for the comparison of reports. Citations become documents instead of passages; `asOf` is its date. */
export function answerAsReport(
  answer: Answer,
  { status, asOf }: Pick<Report, 'status'> & { asOf: string },
): Report {
  const documents = [...groupBy(answer.citations, ({ sourceId }) => sourceId)].map(
    ([sourceId, passages], at) => ({
      sourceId,
      passages,
      n: at + 1,
    }),
  );
  const numbers = new Map(documents.flatMap(({ passages, n }) => passages.map((passage) => [passage.n, n])));
  const documentsOf = (cited: readonly number[]): number[] => [
    ...new Set(cited.flatMap((n) => numbers.get(n) ?? [])),
  ];
  return asReport({
    id: answer.requestId,
    question: answer.question,
    title: answer.question,
    status,
    asOf,
    markdown: answer.answer,
    conflicts: [],
    engine: answer.provenance.engine,
    sections: [
      { id: ANSWER, title: 'the answer', markdown: answer.answer, citations: documents.map(({ n }) => n) },
    ],
    citations: documents.flatMap(({ sourceId, passages: [first], n }) =>
      first === undefined
        ? []
        : [{ ...first, n, sourceId, accessedAt: '', quality: QUALITY, timesCited: 1, readInFull: false }],
    ),
    claims: answer.claims.flatMap(({ citations, evidence, ...claim }) => {
      const cited = documentsOf(citations);
      if (cited.length === 0) return [];
      const places = evidence.flatMap(({ n, quote, start, end }) =>
        documentsOf([n]).map((document) => ({ n: document, quote, start, end })),
      );
      // Passage numbers are no part of the statement.
      const text = claim.text.replace(/\s*\[\d[^\]]*\]/g, '');
      return [{ ...claim, text, sectionId: ANSWER, citations: cited, evidence: places }];
    }),
    setAside: [],
  });
}

export function briefAsReport(brief: Brief): Report {
  const { parts, claims, citations, setAside, conflicts } = brief;
  return asReport({
    id: brief.id,
    question: brief.question,
    title: brief.title,
    status: brief.status,
    markdown: brief.markdown,
    conflicts,
    engine: brief.provenance.engine,
    asOf: brief.provenance.asOf,
    sections: parts.map(({ id, title, markdown, citations: cited }) => ({
      id,
      title,
      markdown,
      citations: cited,
    })),
    citations: citations.map(({ inFull, ...citation }) => ({ ...citation, readInFull: inFull })),
    claims: claims.map(({ partId, evidence, ...claim }) => ({
      ...claim,
      sectionId: partId,
      evidence: evidence.map(({ subtopicId: _subtopic, ...place }) => place),
    })),
    setAside: setAside.map(({ partId, from: _from, ...claim }) => ({ ...claim, sectionId: partId })),
  });
}

export interface ComparableText extends Pick<
  Report,
  'id' | 'question' | 'title' | 'status' | 'markdown' | 'sections' | 'citations' | 'setAside' | 'conflicts'
> {
  claims: Omit<Report['claims'][number], 'confidence' | 'validated'>[];
  engine: Report['provenance']['engine'];
  asOf: string;
}

/** Neutral value for texts without a confidence for each claim. */
const CONFIDENCE = 0.5;

function asReport({ claims, engine, asOf, ...text }: ComparableText): Report {
  return {
    ...text,
    kind: 'report',
    overallTheme: '',
    citationStyle: 'numbered',
    claims: claims.map((claim) => ({ ...claim, confidence: CONFIDENCE, validated: true })),
    gaps: [],
    followUpQuestions: [],
    citationReport: {
      uniqueCitations: 0,
      usages: 0,
      coverage: 0,
      bySection: [],
      lowCitationSections: [],
      mostCited: [],
      meetsMinimum: true,
      weakMajorClaims: [],
      recommendations: [],
    },
    audit: countVerdicts([]),
    judge: null,
    sources: {
      total: 0,
      inFull: 0,
      bySummary: 0,
      unused: 0,
      duplicates: 0,
      retrievals: { requested: 0, found: 0, missing: 0, chars: 0 },
    },
    warnings: [],
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, byPass: {} },
    timings: { total: 0, byPass: {} },
    provenance: { engine, models: {}, steps: {}, asOf, runtime: { colligate: '', node: '' } },
  };
}
