import type { BriefSettings } from '../contracts/brief/brief-settings';
import type { ModelChoices } from '../contracts/run/run-input';
import { charsInWindow, textTokens } from '../core/budget/call-estimates';
import { modelOfPass } from '../core/budget/model-of-pass';
import { auditText } from '../steps/audit-text/audit-text';
import { writeText } from '../steps/write-text/write-text';
import { type ExpectedCall, templateChars } from './expected-calls';
import { checkingCalls, judgeCall } from './text-calls';

export interface BriefToEstimate {
  question: string;
  subtopics: readonly { title: string; summary: string; hasTexts: boolean }[];
  brief: BriefSettings;
  models: ModelChoices;
  isJudged: boolean;
}

const CHARS_A_WORD = 5.6;
/** Of a summary's words so many are told in statements. */
const CHARS_A_SUMMARY_WORD = 6.5;
/** What opens and what ends a brief has this share of the words that its subtopics have, and so many words at least and at most. */
const FRAME = { share: 0.12, least: 100, most: 450 };
const TASK_CHARS = 2_600;
/** Each statement stands in a source, under its heading and behind the one before it, and in its summary. */
const STATEMENTS_AS_SOURCES = 1.7;
/** Of the subtopics with texts so many have a statement that words alone do not find. */
const CHECKED_BY_CRITIC = 0.5;

/** The calls of a brief: summaries held against their sources, then a text that is written, audited, mended and judged. */
export function briefCalls({
  question,
  subtopics,
  brief,
  models,
  isJudged,
}: BriefToEstimate): ExpectedCall[] {
  if (subtopics.length === 0) return [];
  const summaries = subtopics.reduce((sum, { summary, title }) => sum + summary.length + title.length, 0);
  const told = summaries / CHARS_A_SUMMARY_WORD;
  const frame = Math.min(FRAME.most, Math.max(FRAME.least, told * FRAME.share));
  const words = Math.min(brief.words ?? told + 2 * frame, brief.maxWords);
  const asSources = summaries * STATEMENTS_AS_SOURCES;
  const pass = 2;
  const { contextTokens } = modelOfPass(models, writeText.role, pass);
  const isOneCall = words <= brief.oneCallWords && asSources <= charsInWindow(contextTokens);
  const parts = isOneCall ? 1 : subtopics.length + 2;
  const own = words / parts;
  const chars = words * CHARS_A_WORD;
  const checked = subtopics.filter(({ hasTexts }) => hasTexts).length;
  return [
    {
      role: auditText.role,
      pass: 0,
      times: checked * CHECKED_BY_CRITIC,
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
      output: own * CHARS_A_WORD,
      limit: textTokens(own),
      writes: true,
    })),
    ...checkingCalls({ pass, chars, question, sourcesFor: () => asSources }),
    ...(isJudged ? [judgeCall(pass, { text: chars, topics: summaries })] : []),
  ];
}
