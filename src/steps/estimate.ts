import {
  charsInWindow,
  costUsd,
  estimateTokens,
  MAX_HISTORY_CHARS,
  MAX_OUTPUT_TOKENS,
  maxAuditTokens,
  maxCompressedTokens,
  maxTextTokens,
  modelOfPass,
  type ModelRole,
  WINDOW_SHARE,
} from '../contracts/budget';
import type { ModelChoice, ModelChoices, RunEstimate } from '../contracts/run-input';
import type { AnswerSettings, BriefSettings } from '../contracts/run-settings';
import { COMPRESS_ABOVE_CHARS, wholeReadingChars } from '../text/reading-groups';
import { answer } from './answer-question';
import { auditText, mendText } from './audit-text';
import { judge } from './judge';
import { rewriteQuestion } from './search-queries';
import type { StepTemplate } from './step';
import { compress } from './summarise';
import { writeText } from './write-text';

/** Characters per token of English text. */
const CHARS_PER_TOKEN = 4;
/** Maximum share of the context window for an answer (`token-windows.ts`). */
const ANSWER_SHARE = 0.25;
/** Maximum number of times a step is split in halves (`run-json-step.ts`). */
const MAX_HALVINGS = 7;

export interface ExpectedCall {
  role: ModelRole;
  pass: number;
  /** Number of calls; a fraction for optional calls. */
  times: number;
  /** Characters to split if they exceed the window, or their total for a number of parts. */
  material: number | ((parts: number) => number);
  fixed: number;
  output: number;
  limit: number;
  writes?: boolean;
}

export function templateChars({ system, user }: StepTemplate): number {
  return system.length + user.length;
}

/** Sums the calls with the models' prices. Null if no call writes text. */
export function estimateCalls(calls: readonly ExpectedCall[], models: ModelChoices): RunEstimate | null {
  const made = calls
    .filter(({ times }) => times > 0)
    .map((call) => planCalls(call, modelOfPass(models, call.role, call.pass)));
  const writing = made.filter(({ writes }) => writes);
  if (writing.length === 0) return null;
  const sum = (of: (one: PlannedCalls) => number): number => made.reduce((all, one) => all + of(one), 0);
  const isKnown = made.every(({ model }) => model.price !== null);
  const smallest = writing.reduce((one, other) => (other.each < one.each ? other : one));
  const byTokens = [...made].sort((one, other) => other.inputTokens - one.inputTokens);
  return {
    calls: Math.round(sum((one) => one.calls) * 10) / 10,
    inputTokens: Math.round(sum((one) => one.inputTokens)),
    outputTokens: Math.round(sum((one) => one.outputTokens)),
    costUsd: isKnown ? roundToMicro(sum((one) => costUsd(one.model.price, one))) : null,
    smallestCall: {
      tokens: Math.round(smallest.each),
      costUsd:
        smallest.model.price === null
          ? null
          : roundToMicro(costUsd(smallest.model.price, smallest) / smallest.calls),
    },
    models: [...new Set(byTokens.map(({ model }) => model.name))],
  };
}

function roundToMicro(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

interface PlannedCalls {
  model: ModelChoice;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  each: number;
  writes: boolean;
}

/** Splits calls that exceed the window, and repeats calls whose output exceeds the limit. */
function planCalls(
  { times, material, fixed, output, limit, writes = false }: ExpectedCall,
  model: ModelChoice,
): PlannedCalls {
  const { contextTokens } = model;
  const materialOf = (parts: number): number => (typeof material === 'number' ? material : material(parts));
  const room = Math.max(1, Math.min(limit, Math.floor(contextTokens * ANSWER_SHARE)));
  const fits = (parts: number): boolean => {
    const tokens = estimateTokens(materialOf(parts) / parts + fixed);
    return tokens <= contextTokens * WINDOW_SHARE && tokens + room <= contextTokens;
  };
  let parts = 1;
  for (let halved = 0; halved < MAX_HALVINGS && !fits(parts); halved += 1) parts *= 2;
  const outputTokens = output / CHARS_PER_TOKEN;
  const turns = Math.max(1, Math.ceil(outputTokens / parts / room));
  const calls = times * parts * turns;
  const inputTokens = (times * turns * (materialOf(parts) + fixed * parts)) / CHARS_PER_TOKEN;
  return {
    model,
    calls,
    inputTokens,
    outputTokens: times * outputTokens,
    each: (inputTokens + times * outputTokens) / calls,
    writes,
  };
}

/** Output in characters, between a strong model in 40 runs and the scripted test model (decision 0057). */
const AUDIT_CHARS_PER_CHAR = 1.3;
const CHARS_PER_STATEMENT = 160;
/** Number of statements from which every run mends some. */
const STATEMENTS_PER_MENDING = 100;
const MENDING = { input: 9_000, output: 900 };
const AUDIT_AGAIN = { input: 10_000, output: 1_200 };
const JUDGE_OUTPUT = 1_700;
const RUBRIC_CHARS = 2_500;

export interface TextToCheck {
  pass: number;
  chars: number;
  /** Characters of sources that the critic reads for a number of statements. */
  sourcesFor: (statements: number) => number;
  question: string;
}

export function statementCount(chars: number): number {
  return Math.max(1, Math.round(chars / CHARS_PER_STATEMENT));
}

export function checkingCalls({ pass, chars, sourcesFor, question }: TextToCheck): ExpectedCall[] {
  const statements = statementCount(chars);
  const mendings = Math.min(1, statements / STATEMENTS_PER_MENDING);
  const all = sourcesFor(statements);
  return [
    {
      role: auditText.role,
      pass,
      times: 1,
      // Each sentence also has its name and heading.
      material: (parts) => parts * sourcesFor(statements / parts) + chars * 1.15,
      fixed: templateChars(auditText.template) + question.length,
      output: chars * AUDIT_CHARS_PER_CHAR,
      limit: maxAuditTokens(statements),
    },
    {
      role: mendText.role,
      pass,
      times: mendings,
      material: Math.min(MENDING.input, (all + chars) / 2),
      fixed: templateChars(mendText.template) + question.length,
      output: MENDING.output,
      limit: MAX_OUTPUT_TOKENS.mendText,
    },
    {
      role: auditText.role,
      pass,
      times: mendings,
      material: Math.min(AUDIT_AGAIN.input, (all + chars) / 2),
      fixed: templateChars(auditText.template) + question.length,
      output: AUDIT_AGAIN.output,
      limit: MAX_OUTPUT_TOKENS.auditText,
    },
  ];
}

export function judgeCall(pass: number, { text, topics }: { text: number; topics: number }): ExpectedCall {
  return {
    role: judge.role,
    pass,
    times: 1,
    material: text + topics,
    fixed: templateChars(judge.template) + RUBRIC_CHARS,
    output: JUDGE_OUTPUT,
    limit: MAX_OUTPUT_TOKENS.judge,
  };
}

export interface AnswerToEstimate {
  question: string;
  sources: readonly { contentChars: number; nameChars: number }[];
  historyChars: number;
  answers: AnswerSettings;
  models: ModelChoices;
  isJudged: boolean;
}

/** Average length of a retrieved passage. */
const PASSAGE_CHARS = 850;
const PASSAGE_OVERHEAD = 60;
/** Average characters of an answer per token of its limit. */
const CHARS_PER_LIMIT_TOKEN = 2.2;
/** Share of empty or rejected answers, which are written again. */
const REWRITE_SHARE = 0.2;
/** Share of summaries that lost a number and are requested again. */
const RECOMPRESSION_SHARE = 0.8;

export function answerCalls({
  question,
  sources,
  historyChars,
  answers,
  models,
  isJudged,
}: AnswerToEstimate): ExpectedCall[] {
  if (sources.length === 0) return [];
  const all = sources.reduce((sum, { contentChars }) => sum + contentChars, 0);
  const names = sources.reduce((sum, { nameChars }) => sum + nameChars + PASSAGE_OVERHEAD, 0);
  const isWhole = all <= wholeReadingChars(modelOfPass(models, answer.role, 0).contextTokens, answers);
  const history = Math.min(historyChars, MAX_HISTORY_CHARS);
  const found = Math.min(all, answers.passages * PASSAGE_CHARS);
  const {
    keptWhole,
    compressedChars,
    compressAboveChars = isWhole ? Infinity : COMPRESS_ABOVE_CHARS,
  } = answers;
  const context = isWhole ? all : found;
  const passages = isWhole ? Math.ceil(all / PASSAGE_CHARS) : Math.ceil(found / PASSAGE_CHARS);
  const isCompressed = context > compressAboveChars && passages > keptWhole;
  const long = Math.max(0, passages - keptWhole);
  const shown = isCompressed ? context - long * (PASSAGE_CHARS - compressedChars) : context;
  const around = isWhole ? names : passages * PASSAGE_OVERHEAD * 2;
  const text = answers.maxTokens + (sources.length > 1 ? answers.synthesisExtraTokens / 2 : 0);
  const chars = text * CHARS_PER_LIMIT_TOKEN;
  const pass = 0;
  return [
    {
      role: rewriteQuestion.role,
      pass,
      times: history > 0 ? 1 : 0,
      material: history,
      fixed: templateChars(rewriteQuestion.template) + question.length,
      output: 300,
      limit: MAX_OUTPUT_TOKENS.rewriteQuestion,
    },
    {
      role: compress.role,
      pass,
      times: isCompressed ? 1 + RECOMPRESSION_SHARE : 0,
      material: long * PASSAGE_CHARS,
      fixed: templateChars(compress.template) + question.length,
      output: long * (compressedChars * 0.8 + 40),
      limit: maxCompressedTokens(long, compressedChars),
    },
    {
      role: answer.role,
      pass,
      times: 1 + REWRITE_SHARE * (isWhole ? 1 : 0.5),
      material: shown + around + history,
      fixed: templateChars(answer.template) + question.length,
      output: chars,
      limit: text,
      writes: true,
    },
    ...checkingCalls({ pass, chars, question, sourcesFor: () => context + around * 1.5 }),
    ...(isJudged ? [judgeCall(pass, { text: chars, topics: context })] : []),
  ];
}

export interface BriefToEstimate {
  question: string;
  subtopics: readonly { title: string; summary: string; hasTexts: boolean }[];
  brief: BriefSettings;
  models: ModelChoices;
  isJudged: boolean;
}

const CHARS_PER_WORD = 5.6;
/** Characters of a summary per word of the brief. */
const CHARS_PER_SUMMARY_WORD = 6.5;
/** Opening and end: share of the subtopics' words, with limits in words. */
const FRAME_WORDS = { share: 0.12, least: 100, most: 450 };
const TASK_CHARS = 2_600;
/** Each statement appears in a source, below its heading, and in its summary. */
const STATEMENTS_AS_SOURCES = 1.7;
/** Share of subtopics with a statement that needs the critic. */
const CRITIC_CHECK_SHARE = 0.5;

export function briefCalls({
  question,
  subtopics,
  brief,
  models,
  isJudged,
}: BriefToEstimate): ExpectedCall[] {
  if (subtopics.length === 0) return [];
  const summaries = subtopics.reduce((sum, { summary, title }) => sum + summary.length + title.length, 0);
  const told = summaries / CHARS_PER_SUMMARY_WORD;
  const frame = Math.min(FRAME_WORDS.most, Math.max(FRAME_WORDS.least, told * FRAME_WORDS.share));
  const words = Math.min(brief.words ?? told + 2 * frame, brief.maxWords);
  const asSources = summaries * STATEMENTS_AS_SOURCES;
  const pass = 2;
  const { contextTokens } = modelOfPass(models, writeText.role, pass);
  const isOneCall = words <= brief.oneCallWords && asSources <= charsInWindow(contextTokens);
  const parts = isOneCall ? 1 : subtopics.length + 2;
  const own = words / parts;
  const chars = words * CHARS_PER_WORD;
  const checked = subtopics.filter(({ hasTexts }) => hasTexts).length;
  return [
    {
      role: auditText.role,
      pass: 0,
      times: checked * CRITIC_CHECK_SHARE,
      material: summaries / subtopics.length,
      fixed: templateChars(auditText.template),
      output: 1_000,
      limit: 2_000,
    },
    ...Array.from({ length: parts }, (_, at): ExpectedCall => ({
      role: writeText.role,
      pass,
      times: 1,
      material: asSources + (isOneCall ? summaries : summaries / subtopics.length) + (at * chars) / parts,
      fixed: templateChars(writeText.template) + question.length + TASK_CHARS,
      output: own * CHARS_PER_WORD,
      limit: maxTextTokens(own),
      writes: true,
    })),
    ...checkingCalls({ pass, chars, question, sourcesFor: () => asSources }),
    ...(isJudged ? [judgeCall(pass, { text: chars, topics: summaries })] : []),
  ];
}
