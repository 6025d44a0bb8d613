import type { Config } from '../app/config';
import type { ConfigFlags } from '../app/config-sources';
import { withTexts } from '../app/local-tasks';
import { loadTemplate, runOutages } from '../app/open-colligate';
import type { OutageSettings, Warning } from '../contracts/run';
import { BriefSettings } from '../contracts/run-settings';
import type { GivenSubtopic } from '../contracts/start';
import { append } from '../lib/iterables';
import { readSubtopics } from '../sources/read-subtopics';
import {
  chosenRunIdProblems,
  questionProblems,
  type RequestContext,
  runIdProblems,
  UsageError,
} from './command-context';
import {
  givenSources,
  loadCommandConfig,
  modelFlags,
  numberOption,
  pathProblems,
  skipInvalidOf,
  type SkipOptions,
  zoteroSources,
} from './command-options';
import { prepareOutDir } from './run-files';
import type { CommandIo } from './terminal';

export interface BriefOptions extends SkipOptions {
  subtopics?: string[];
  from?: string[];
  sources?: string[];
  zotero?: string[];
  words?: string;
  maxLength?: string;
  template?: string;
  unsupported?: string;
  /** Commander sets true if `--no-judge` is absent. */
  judge?: boolean;
  threshold?: string;
  maxRevisions?: string;
  set?: string[];
  engine?: string;
  model?: string;
  maxTokens?: string;
  maxCost?: string;
  /** Minutes. */
  maxTime?: string;
  /** Minutes. */
  patience?: string;
  /** False: fail instead of waiting for an endpoint. */
  wait?: boolean;
  out?: string;
  id?: string;
  again?: boolean;
  estimate?: boolean;
  detach?: boolean;
  json?: boolean;
}

export interface ValidatedBrief {
  question: string;
  subtopics: GivenSubtopic[];
  warnings: Warning[];
  from: string[];
  words: number | null;
  template: string;
  runId: string | undefined;
  again: boolean;
  estimate: boolean;
  detach: boolean;
  json: boolean;
  outages: OutageSettings;
  config: Config;
}

export async function prepareBriefRequest(
  ...given: Parameters<typeof validateBriefRequest>
): Promise<ValidatedBrief> {
  const checked = await validateBriefRequest(...given);
  if (!checked.estimate) await prepareOutDir(checked.config.outDir);
  return checked;
}

/**
 * Throws one `UsageError` that lists every problem of question, ids, flags, settings and template, then
 * `InvalidSubtopicsError` for the subtopics.
 */
export async function validateBriefRequest(
  question: string,
  options: BriefOptions,
  context: RequestContext,
): Promise<ValidatedBrief> {
  const { subtopics: paths = [], from = [], sources = [] } = options;
  const problems = questionProblems(question);
  if (options.id !== undefined) append(problems, chosenRunIdProblems(options.id, '--id'));
  if (options.again === true && options.id === undefined)
    problems.push('--again needs --id: it runs an ended id anew.');
  if (paths.length === 0 && from.length === 0)
    problems.push('There is nothing to write of: give --subtopics PATH, or --from the ID of an ended run.');
  if ((sources.length > 0 || options.zotero !== undefined) && paths.length === 0)
    problems.push(
      '--sources (or --zotero) gives the texts of what --subtopics cite: give both, or run a report of the sources and give that by --from.',
    );
  append(problems, await pathProblems(sources, context.io.cwd));
  append(
    problems,
    from.flatMap((id) => runIdProblems(id, '--from')),
  );
  if (options.id !== undefined && from.includes(options.id))
    problems.push(
      `--from and --id are both "${options.id}": a brief cannot be made of itself. Choose another --id.`,
    );
  const words = wordsOf(options.words, problems);
  const config = await loadCommandConfig(context, { set: options.set, flags: flagsOf(options) }, problems);
  const template = config === null ? '' : await templateOf(config.report.template, context.io, problems);
  const zotero = config === null ? [] : await zoteroSources(options.zotero, config, problems);
  if (config === null || problems.length > 0) throw new UsageError(problems);
  const given =
    paths.length === 0 ? { subtopics: [], warnings: [] } : await readSubtopics(paths, context.io.cwd);
  const texts = givenSources(sources, zotero);
  const read =
    texts === null
      ? given
      : await withTexts(given, { ...texts, skipInvalid: skipInvalidOf(options) }, config);
  return {
    question: question.trim(),
    ...read,
    from,
    words,
    template,
    runId: options.id,
    again: options.again === true,
    estimate: options.estimate === true,
    detach: options.detach === true,
    json: options.json === true,
    outages: runOutages(config, { waits: options.wait !== false }),
    config,
  };
}

function flagsOf(options: BriefOptions): ConfigFlags {
  return {
    engine: options.engine,
    ...modelFlags(options.model),
    outDir: options.out,
    'report.maxLength': options.maxLength,
    'report.template': options.template,
    'brief.unsupportedClaims': options.unsupported,
    'judge.enabled': options.judge === false ? false : undefined,
    'judge.threshold': options.threshold,
    'judge.maxRevisions': options.maxRevisions,
    'budget.maxTokens': options.maxTokens,
    'budget.maxCostUsd': options.maxCost,
    'budget.maxTimeMs': options.maxTime,
    'outages.patienceMs': options.patience,
  };
}

function wordsOf(given: string | undefined, problems: string[]): number | null {
  if (given === undefined) return null;
  const { words: schema } = BriefSettings.shape;
  const words = numberOption({ flag: '--words', text: given, schema });
  if (typeof words === 'number') return words;
  problems.push(words.problem.replace(/\.$/, ', or leave it out for as many as it takes.'));
  return null;
}

async function templateOf(setting: string, io: CommandIo, problems: string[]): Promise<string> {
  const chosen = await loadTemplate(setting, io);
  if ('template' in chosen) return chosen.template;
  append(
    problems,
    chosen.problems.map((problem) => `--template ${setting}: ${problem}`),
  );
  return '';
}
