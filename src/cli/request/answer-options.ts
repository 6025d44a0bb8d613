import { append } from '../../core/values/append';
import type { Config } from '../../config/config';
import { answerOutages } from '../../config/run-outages';
import type { OutageSettings } from '../../contracts/run/outages';
import { UsageError } from '../failures/usage-error';
import { answerMaterial, type GivenMaterial, type MaterialOptions } from './answer-material';
import { configWith, modelFlags } from './config-with';
import type { RequestContext } from '../command-context';
import type { RequestedSearch } from '../../client/requested-search';
import { searchOf, type SearchOptions } from './search-options';
import { chosenRunIdProblems, questionProblems } from './request-problems';

export interface AnswerOptions extends MaterialOptions, Pick<SearchOptions, 'search' | 'searchPages'> {
  citations?: string;
  engine?: string;
  model?: string;
  id?: string;
  again?: boolean;
  /** Minutes. */
  patience?: string;
  /** False: nothing is waited for that is away. */
  wait?: boolean;
  attempts?: string;
  set?: string[];
  skipInvalid?: boolean;
  estimate?: boolean;
  judge?: boolean;
  json?: boolean;
  agentState?: boolean;
}

export interface AnswerConditions {
  outages: OutageSettings;
  skipInvalid: boolean;
  config: Config;
}

export interface CheckedAnswer extends AnswerConditions {
  material: GivenMaterial;
  /** Null where nothing is searched for. */
  search: RequestedSearch | null;
  requestId: string | undefined;
  again: boolean;
  /** True: what it is expected to cost is printed, and nothing started. */
  estimate: boolean;
  judge: boolean;
  json: boolean;
  agentState: boolean;
}

/** Throws one `UsageError` with everything that is wrong. */
export async function checkAnswerRequest(
  question: string,
  options: AnswerOptions,
  context: RequestContext,
): Promise<CheckedAnswer> {
  const problems: string[] = [];
  if (options.id !== undefined) append(problems, chosenRunIdProblems(options.id, '--id'));
  if (options.again === true && options.id === undefined)
    problems.push('--again needs --id: it answers an ended id anew.');
  const material = await answerMaterial(question, options, context.io, problems);
  if (problems.length === 0) append(problems, questionProblems(material.question));
  const search = searchOf(options, problems);
  const conditions = await answerConditions(options, context, problems);
  if (conditions === null || problems.length > 0) throw new UsageError(problems);
  return {
    ...conditions,
    material,
    search,
    requestId: options.id,
    again: options.again === true,
    estimate: options.estimate === true,
    judge: options.judge === true,
    json: options.json === true,
    agentState: options.agentState === true,
  };
}

/** What is wrong is added to `problems`; null where there are no settings at all. */
async function answerConditions(
  options: AnswerOptions,
  context: RequestContext,
  problems: string[],
): Promise<AnswerConditions | null> {
  const { citations, attempts, set } = options;
  const flags = {
    engine: options.engine,
    ...modelFlags(options.model),
    'answers.citations': citations,
    'answers.maxAttempts': attempts,
    'answers.patienceMs': options.patience,
    'search.maxPages': options.searchPages,
  };
  const config = await configWith(context, { set, flags }, problems);
  if (config === null) return null;
  return {
    outages: answerOutages(config, { waits: options.wait !== false }),
    skipInvalid: options.skipInvalid === true,
    config,
  };
}
