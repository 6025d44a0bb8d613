import { auditTokens, MAX_OUTPUT_TOKENS } from '../core/budget/call-estimates';
import { auditText } from '../steps/audit-text/audit-text';
import { judge } from '../steps/judge/judge';
import { mendText } from '../steps/mend-text/mend-text';
import { type ExpectedCall, templateChars } from './expected-calls';

/**
 * What models write to what they are asked, in characters: between what a strong model wrote in 40 recorded runs, and the terse
 * scripted model of the tests (decision 0057).
 */
const AUDIT_A_CHAR = 1.3;
const CHARS_A_STATEMENT = 160;
/** Of so many statements some are mended in every run. */
const STATEMENTS_A_MENDING = 100;
const MENDING = { input: 9_000, output: 900 };
const AUDIT_AGAIN = { input: 10_000, output: 1_200 };
const JUDGE_OUTPUT = 1_700;
/** The judge's rubric, and the list of verdicts. */
const RUBRIC_CHARS = 2_500;

export interface TextToCheck {
  pass: number;
  /** The text's own length. */
  chars: number;
  /** How much of the sources the critic reads with so many statements. */
  sourcesFor: (statements: number) => number;
  question: string;
}

export function statementsIn(chars: number): number {
  return Math.max(1, Math.round(chars / CHARS_A_STATEMENT));
}

/** The audit of a text, and its mending, which a short text needs less often than a long one. */
export function checkingCalls({ pass, chars, sourcesFor, question }: TextToCheck): ExpectedCall[] {
  const statements = statementsIn(chars);
  const mendings = Math.min(1, statements / STATEMENTS_A_MENDING);
  const all = sourcesFor(statements);
  return [
    {
      role: auditText.role,
      pass,
      times: 1,
      // Each sentence has its name and its heading again.
      material: (parts) => parts * sourcesFor(statements / parts) + chars * 1.15,
      fixed: templateChars(auditText.template) + question.length,
      output: chars * AUDIT_A_CHAR,
      limit: auditTokens(statements),
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

/** One judgement: most texts pass it. */
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
