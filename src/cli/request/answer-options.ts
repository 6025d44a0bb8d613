import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import type { ConfigFlags } from '../../config/read-given';
import { AnswerCitationStyle, AnswerSettings } from '../../contracts/answer/answer-settings';
import type { OutageSettings } from '../../contracts/run/outages';
import { UsageError } from '../failures/usage-error';
import { answerMaterial, type GivenMaterial, type MaterialOptions } from './answer-material';
import { toldValue } from '../../core/values/told-value';
import { configWith } from './config-with';
import { numberOption } from './number-option';
import { chosenRunIdProblems, questionProblems } from './request-problems';

/** What commander found on the command line, of `answer` and of `chat`. */
export interface AnswerOptions extends MaterialOptions {
  conversation?: string;
  citations?: string;
  engine?: string;
  id?: string;
  again?: boolean;
  /** Minutes. */
  patience?: string;
  /** False: nothing is waited for that is away. */
  wait?: boolean;
  attempts?: string;
  skipInvalid?: boolean;
  /** The answer is to be judged; without it none is. */
  judge?: boolean;
  json?: boolean;
}

/** What every question of a command is asked with. */
export interface AnswerConditions {
  answers: Partial<AnswerSettings>;
  /** Absent where nothing is said: the workflow has its own patience. */
  outages: OutageSettings | undefined;
  skipInvalid: boolean;
  config: Config;
}

/** A question with everything checked that can be without a server. */
export interface CheckedAnswer extends AnswerConditions {
  material: GivenMaterial;
  requestId: string | undefined;
  conversationId: string | undefined;
  again: boolean;
  judge: boolean;
  json: boolean;
}

type Load = (given: { flags: ConfigFlags }) => Config;

/** Throws one `UsageError` with everything that is wrong. */
export async function checkAnswerRequest(
  question: string,
  options: AnswerOptions,
  load: Load,
): Promise<CheckedAnswer> {
  const problems: string[] = [];
  if (options.id !== undefined) append(problems, chosenRunIdProblems(options.id, '--id'));
  if (options.again === true && options.id === undefined)
    problems.push('--again needs --id: it answers an ended id anew.');
  const material = await answerMaterial(question, options, problems);
  if (problems.length === 0) append(problems, questionProblems(material.question));
  const conditions = answerConditions(options, load, problems);
  if (conditions === null || problems.length > 0) throw new UsageError(problems);
  return {
    ...conditions,
    material,
    requestId: options.id,
    conversationId: options.conversation,
    again: options.again === true,
    judge: options.judge === true,
    json: options.json === true,
  };
}

/** What is wrong is added to `problems`; null where there are no settings at all. */
export function answerConditions(
  options: AnswerOptions,
  load: Load,
  problems: string[],
): AnswerConditions | null {
  const { conversation, citations, attempts } = options;
  if (conversation !== undefined) append(problems, chosenRunIdProblems(conversation, '--conversation'));
  const style = AnswerCitationStyle.optional().safeParse(citations);
  if (!style.success)
    problems.push(
      `--citations is ${toldValue(citations)}; allowed: ${AnswerCitationStyle.options.join(', ')}.`,
    );
  const { maxAttempts: schema } = AnswerSettings.shape;
  const tries = attempts === undefined ? null : numberOption({ flag: '--attempts', text: attempts, schema });
  if (tries !== null && typeof tries !== 'number') problems.push(tries.problem);
  const config = configWith(
    load,
    { engine: options.engine, 'outages.patienceMs': options.patience },
    problems,
  );
  if (config === null) return null;
  return {
    // What defaults are is the request's to say.
    answers: {
      ...(style.data === undefined ? {} : { citations: style.data }),
      ...(typeof tries === 'number' ? { maxAttempts: tries } : {}),
    },
    outages: outagesOf(options, config),
    skipInvalid: options.skipInvalid === true,
    config,
  };
}

/** A question is not parked: where patience ends, its reply says so. */
function outagesOf({ wait, patience }: AnswerOptions, config: Config): OutageSettings | undefined {
  if (wait === false) return { patienceMs: 0, afterwards: 'fail' };
  if (patience === undefined) return undefined;
  return { patienceMs: config.outages.patienceMs, afterwards: 'fail' };
}
