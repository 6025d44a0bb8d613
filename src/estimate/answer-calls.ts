import type { AnswerSettings } from '../contracts/answer/answer-settings';
import type { ModelChoices } from '../contracts/run/run-input';
import { compressedTokens, MAX_HISTORY_CHARS, MAX_OUTPUT_TOKENS } from '../core/budget/call-estimates';
import { modelOfPass } from '../core/budget/model-of-pass';
import { charsReadWhole, COMPRESS_ABOVE_CHARS } from '../core/passages/answer-reading';
import { answer } from '../steps/answer/answer';
import { compress } from '../steps/compress/compress';
import { rewriteQuestion } from '../steps/rewrite-question/rewrite-question';
import { type ExpectedCall, templateChars } from './expected-calls';
import { checkingCalls, judgeCall } from './text-calls';

export interface AnswerToEstimate {
  question: string;
  /** The lengths of the texts that it may rest on, observations among them. */
  sources: readonly { contentChars: number; nameChars: number }[];
  historyChars: number;
  answers: AnswerSettings;
  models: ModelChoices;
  isJudged: boolean;
}

/** A passage that is found has about so many characters. */
const PASSAGE_CHARS = 850;
const AROUND_PASSAGE = 60;
/** Characters that an answer has to a token of its limit. */
const CHARS_A_TOKEN_OF_LIMIT = 2.2;
/** An answer that says nothing, or that the critic rejects as a whole, is written once more. */
const WRITTEN_AGAIN = 0.2;
/** A summary that lost a number is asked for again. */
const SHORTENED_AGAIN = 0.8;

/** The calls of an answer: what is read whole or found and shortened, then a text that is audited and mended. */
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
  const names = sources.reduce((sum, { nameChars }) => sum + nameChars + AROUND_PASSAGE, 0);
  const isWhole = all <= charsReadWhole(modelOfPass(models, answer.role, 0).contextTokens, answers);
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
  const around = isWhole ? names : passages * AROUND_PASSAGE * 2;
  const text = answers.maxTokens + (sources.length > 1 ? answers.synthesisExtraTokens / 2 : 0);
  const chars = text * CHARS_A_TOKEN_OF_LIMIT;
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
      times: isCompressed ? 1 + SHORTENED_AGAIN : 0,
      material: long * PASSAGE_CHARS,
      fixed: templateChars(compress.template) + question.length,
      output: long * (compressedChars * 0.8 + 40),
      limit: compressedTokens(long, compressedChars),
    },
    {
      role: answer.role,
      pass,
      times: 1 + WRITTEN_AGAIN * (isWhole ? 1 : 0.5),
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
