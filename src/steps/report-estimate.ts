import {
  MAX_OUTPUT_TOKENS,
  maxTextTokens,
  modelOfPass,
  PLAN_CHARS,
  summariesPerCall,
} from '../contracts/budget';
import type { ModelChoices, RunShape } from '../contracts/run-input';
import type { SynthesisSettings } from '../contracts/run-settings';
import { MAX_SUMMARY_CHARS } from '../contracts/source';
import { evenBatches } from '../lib/iterables';
import { targetSections } from '../report/ranked-outline';
import {
  digestChars,
  fitsWhole,
  maxFindingsPerCall,
  planReadingCalls,
  type ReadingCall,
  readingGroups,
  smallestWindow,
  SUMMARY_AND_LIMITS_WORDS,
  targetFindings,
  targetReportWords,
  targetSectionWords,
  WORDS_IN_ONE_CALL,
} from '../text/reading-groups';
import { crossCheck } from './cross-check';
import { checkingCalls, type ExpectedCall, judgeCall, statementCount, templateChars } from './estimate';
import { extractFindings } from './extract-findings';
import { mergeOutlines, outline, scoreRelevance } from './outline-sections';
import { summarise } from './summarise';
import { writeText } from './write-text';

export interface SourceSize {
  id: string;
  contentChars: number;
  /** Length of title, author, site and date together. */
  nameChars: number;
  hasSummary: boolean;
}

export interface ReportToEstimate {
  question: string;
  sources: readonly SourceSize[];
  synthesis: SynthesisSettings;
  models: ModelChoices;
  shape: RunShape;
  isJudged: boolean;
}

const SOURCE_OVERHEAD = 75;
/** Usual maximum of sections per plan. */
const USUAL_SECTIONS = 6;

/** Output sizes in characters (decision 0057). */
const SUMMARY_CHARS = 700;
const PLAN_OUTPUT = 1_400;
const PLAN_OUTPUT_PER_SOURCE = 90;
const MERGED_PLAN_OUTPUT = 1_300;
const SCORES_PER_SOURCE = 64;
const FINDING_CHARS = 430;
/** Share of the requested findings that models return. */
const FINDINGS_SHARE = 0.85;
const FINDINGS_CHECK_OUTPUT = 1_300;
const GROUP_CHECK_OUTPUT = 1_900;
const CHARS_PER_WORD = 6.2;
/** Sections written separately are shorter than requested. */
const CHARS_PER_SECTION_WORD = 4.6;

const SECTION_PLAN = 250;
const FINDING_TO_CHECK = 330;
const TASK_CHARS = 2_000;
/** A paragraph around a quote in a long text. */
const PARAGRAPH_CHARS = 2_000;
/** Share of the sources that the plan uses, if all fit. */
const RELEVANT_SHARE = 0.95;
/** Paragraphs that a critic reads per statement. */
const PARAGRAPHS_PER_STATEMENT = 6;
/** Length of a long source, and the share of it near some statement. */
const LONG_SOURCE = 5_000;
const RELEVANT_TEXT_SHARE = 0.67;
const STATEMENT_TOPIC = 160;
/** Maximum share of the sources that are cited. */
const CITED_SHARE = 0.8;
const CITED_PER_FINDING = 0.45;
/** Each finding is checked against the groups of two sources. */
const GROUPS_PER_FINDING = 2;

export function reportCalls(report: ReportToEstimate): ExpectedCall[] {
  const { question, sources, models, shape, isJudged } = report;
  if (sources.length === 0) return [];
  const synthesis = {
    ...report.synthesis,
    pass2FullContentCount: Math.min(report.synthesis.pass2FullContentCount, sources.length),
  };
  const limits = { settings: synthesis, contextTokens: smallestWindow(models) };
  const isWhole = fitsWhole(sources, limits);
  const whole = sum(sources, ({ contentChars, nameChars }) => contentChars + nameChars + SOURCE_OVERHEAD);
  const about = { question, sources, synthesis, models, shape, limits };
  const sections = synthesis.enableMultiPass
    ? Math.min(USUAL_SECTIONS, targetSections(sources.length).most)
    : 1;

  const calls: ExpectedCall[] = [];
  if (!isWhole) calls.push(...summaryCalls(about));
  if (synthesis.enableMultiPass) calls.push(...planningCalls(about, isWhole ? whole : null));

  const reading = isWhole ? [singleReading(sources, sections)] : plannedReading(about, sections);
  const bearing = whole * (isWhole ? RELEVANT_SHARE : 1);
  const asked = reading.map((call) => expectedFindings(about, call, { sections, calls: reading.length }));
  calls.push(
    ...reading.map((call, at) => ({
      role: extractFindings.role,
      pass: 2,
      times: 1,
      material: isWhole ? bearing : totalDigestChars(about, call.sourceIds),
      fixed:
        templateChars(extractFindings.template) + question.length + SECTION_PLAN * call.sectionIds.length,
      output: (asked[at] ?? 0) * FINDINGS_SHARE * FINDING_CHARS,
      limit: MAX_OUTPUT_TOKENS.extractFindings,
    })),
  );
  const kept = sections * targetFindings(synthesis).max;
  const findings = Math.min(kept, Math.round(sum(asked, (one) => one) * FINDINGS_SHARE));
  if (synthesis.enableMultiPass && synthesis.enableCrossReference)
    calls.push(...checkCalls(about, { findings, groups: isWhole ? [] : reading }));

  const written = writingCalls(about, { whole: isWhole ? bearing : null, sections, findings });
  calls.push(...written.calls);
  const cited = Math.max(1, Math.min(sources.length * CITED_SHARE, findings * CITED_PER_FINDING));
  const statements = statementCount(written.chars);
  calls.push(
    ...checkingCalls({
      pass: 4,
      chars: written.chars,
      question,
      sourcesFor: (shown) =>
        isWhole ? bearing : auditedChars(shown, { statements, cited, average: whole / sources.length }),
    }),
  );
  if (isJudged) calls.push(judgeCall(4, { text: written.chars, topics: findings * STATEMENT_TOPIC }));
  return calls;
}

type EstimateContext = Pick<ReportToEstimate, 'question' | 'sources' | 'synthesis' | 'models' | 'shape'> & {
  limits: { settings: SynthesisSettings; contextTokens: number | null };
};

/** Pass 0: summaries of long sources without one, in groups within a batch. */
function summaryCalls({ question, sources, shape, limits, synthesis }: EstimateContext): ExpectedCall[] {
  return evenBatches(sources.length, shape.sourcesABatch).flatMap(({ from, to }) =>
    readingGroups(sources.slice(from, to), limits).flatMap((group): ExpectedCall[] => {
      const unsaid = group.filter(
        ({ hasSummary, contentChars }) => !hasSummary && contentChars > MAX_SUMMARY_CHARS,
      );
      if (unsaid.length === 0) return [];
      return [
        {
          role: summarise.role,
          pass: 0,
          times: 1,
          material: sum(unsaid, (source) => digestSize(source, synthesis)),
          fixed: templateChars(summarise.template) + question.length,
          output: SUMMARY_CHARS * unsaid.length,
          limit: MAX_OUTPUT_TOKENS.summariseSource * unsaid.length,
        },
      ];
    }),
  );
}

/** Pass 1: plans, their merge, and scores if there are several plans. */
function planningCalls(
  { question, sources, synthesis, models, shape }: EstimateContext,
  whole: number | null,
): ExpectedCall[] {
  const { contextTokens } = modelOfPass(models, outline.role, 1);
  const summaryChars = sources.map(
    ({ contentChars, nameChars }) => Math.min(contentChars, SUMMARY_CHARS) + nameChars + SOURCE_OVERHEAD,
  );
  const { pass1SummaryCount } = synthesis;
  const count = pass1SummaryCount < 0 ? sources.length : Math.min(pass1SummaryCount, sources.length);
  const size = Math.min(shape.summariesAtOnce, summariesPerCall(contextTokens));
  const batches = whole === null ? evenBatches(count, size) : evenBatches(count, count);
  const calls = batches.map(({ from, to }): ExpectedCall => ({
    role: outline.role,
    pass: 1,
    times: 1,
    material: whole ?? sum(summaryChars.slice(from, to), (chars) => chars),
    fixed: templateChars(outline.template) + question.length,
    output: PLAN_OUTPUT + PLAN_OUTPUT_PER_SOURCE * Math.min(to - from, shape.sourcesABatch),
    limit: MAX_OUTPUT_TOKENS.outline,
  }));
  const isScored = whole !== null || (batches.length === 1 && count === sources.length);
  if (batches.length > 1)
    calls.push({
      role: mergeOutlines.role,
      pass: 1,
      times: 1,
      material: batches.length * PLAN_OUTPUT * 0.7,
      fixed: templateChars(mergeOutlines.template) + question.length,
      output: MERGED_PLAN_OUTPUT,
      limit: MAX_OUTPUT_TOKENS.mergeOutlines,
    });
  if (isScored) return calls;
  const scored = Math.min(shape.scoredAtOnce, summariesPerCall(contextTokens, PLAN_CHARS));
  const scores = evenBatches(sources.length, scored).map(({ from, to }): ExpectedCall => ({
    role: scoreRelevance.role,
    pass: 1,
    times: 1,
    material: sum(summaryChars.slice(from, to), (chars) => chars),
    fixed: templateChars(scoreRelevance.template) + question.length + USUAL_SECTIONS * SECTION_PLAN,
    output: SCORES_PER_SOURCE * (to - from),
    limit: MAX_OUTPUT_TOKENS.scoreSource * (to - from),
  }));
  return [...calls, ...scores];
}

/** Pass 2 if the sources do not fit: each section reads its maximum, spread over all sources. */
function plannedReading({ sources, synthesis, limits }: EstimateContext, sections: number): ReadingCall[] {
  const most = synthesis.enableMultiPass ? synthesis.pass2FullContentCount : sources.length;
  const wantedBy = Array.from({ length: sections }, (_, section) => {
    let chars = 0;
    const own = Array.from({ length: Math.min(most, sources.length) }, (_one, at) => {
      const place = Math.floor((at * sources.length) / Math.min(most, sources.length)) + section;
      return sources[place % sources.length];
    }).flatMap((source) => source ?? []);
    const fitting = own.filter(({ contentChars }) => {
      chars += digestChars(contentChars, synthesis);
      return chars <= synthesis.maxTotalChars;
    });
    return { sectionId: `${section}`, sourceIds: fitting.map(({ id }) => id) };
  });
  return planReadingCalls(sources, wantedBy, limits);
}

function singleReading(sources: readonly SourceSize[], sections: number): ReadingCall {
  return {
    sourceIds: sources.map(({ id }) => id),
    sectionIds: Array.from({ length: sections }, (_, section) => `${section}`),
  };
}

function expectedFindings(
  { sources, synthesis }: EstimateContext,
  { sourceIds }: ReadingCall,
  of: { sections: number; calls: number },
): number {
  const ids = new Set(sourceIds);
  const chars = sum(sources, ({ id, contentChars }) =>
    ids.has(id) ? digestChars(contentChars, synthesis) : 0,
  );
  return maxFindingsPerCall({ chars, wanted: targetFindings(synthesis).max, ...of });
}

function checkCalls(
  about: EstimateContext,
  { findings, groups }: { findings: number; groups: readonly ReadingCall[] },
): ExpectedCall[] {
  const fixed = templateChars(crossCheck.template) + about.question.length + TASK_CHARS;
  const common = { role: crossCheck.role, pass: 3, times: 1, fixed, limit: MAX_OUTPUT_TOKENS.crossCheck };
  const near = groups.length === 0 ? 0 : (findings * GROUPS_PER_FINDING) / groups.length;
  return [
    ...groups.map(({ sourceIds }) => ({
      ...common,
      material: totalDigestChars(about, sourceIds) + near * FINDING_TO_CHECK,
      output: GROUP_CHECK_OUTPUT,
    })),
    { ...common, material: findings * FINDING_TO_CHECK, output: FINDINGS_CHECK_OUTPUT },
  ];
}

/** Pass 4: one call, or one call per section and one for summary and end. */
function writingCalls(
  { question, sources, synthesis }: EstimateContext,
  { whole, sections, findings }: { whole: number | null; sections: number; findings: number },
): { calls: ExpectedCall[]; chars: number } {
  const words = targetReportWords(sources, synthesis);
  const fixed = templateChars(writeText.template) + question.length + TASK_CHARS + SECTION_PLAN * sections;
  const common = { role: writeText.role, pass: 4, times: 1, fixed, writes: true };
  const average = sum(sources, ({ contentChars }) => contentChars) / sources.length;
  const around = Math.min(PARAGRAPH_CHARS, average) + SOURCE_OVERHEAD;
  if (words <= WORDS_IN_ONE_CALL || (whole === null && sections < 2)) {
    const chars = words * CHARS_PER_WORD;
    const material = whole ?? findings * around;
    return { calls: [{ ...common, material, output: chars, limit: maxTextTokens(words) }], chars };
  }
  const own = targetSectionWords(words, sections);
  const output = own * CHARS_PER_SECTION_WORD;
  const ofSection = findings / sections;
  const written = Array.from({ length: sections }, (_, at) => ({
    ...common,
    material: (whole ?? ofSection * around) + ofSection * FINDING_TO_CHECK + at * output,
    output,
    limit: maxTextTokens(own),
  }));
  const frame = SUMMARY_AND_LIMITS_WORDS * CHARS_PER_SECTION_WORD;
  const names = sum(sources, ({ nameChars }) => nameChars + SOURCE_OVERHEAD) * CITED_SHARE;
  const chars = sections * output + frame;
  return {
    calls: [
      ...written,
      {
        ...common,
        material: sections * output + names,
        output: frame,
        limit: maxTextTokens(SUMMARY_AND_LIMITS_WORDS),
        writes: false,
      },
    ],
    chars,
  };
}

/** Text that a critic reads for a number of statements. */
function auditedChars(
  shown: number,
  { statements, cited, average }: { statements: number; cited: number; average: number },
): number {
  // Statements cite sources at random, so some repeat.
  const sources = shown >= statements ? cited : cited * (1 - Math.exp(-shown / cited));
  const paragraphs = (PARAGRAPHS_PER_STATEMENT * statements) / cited;
  const near = Math.min(
    average > LONG_SOURCE ? average * RELEVANT_TEXT_SHARE : average,
    paragraphs * PARAGRAPH_CHARS,
  );
  return sources * (near + SOURCE_OVERHEAD);
}

function totalDigestChars({ sources, synthesis }: EstimateContext, ids: readonly string[]): number {
  const wanted = new Set(ids);
  return sum(sources, (source) => (wanted.has(source.id) ? digestSize(source, synthesis) : 0));
}

function digestSize({ contentChars, nameChars }: SourceSize, synthesis: SynthesisSettings): number {
  return digestChars(contentChars, synthesis) + nameChars + SOURCE_OVERHEAD;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
}
