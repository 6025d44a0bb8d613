import type { Config } from '../app/config';
import { runOutages } from '../app/open-colligate';
import type { RequestedSearch } from '../client/run-requests';
import { ApprovalSettings, type OutageSettings, type Warning } from '../contracts/run';
import type { SkipInvalid } from '../contracts/start';
import { append } from '../lib/iterables';
import { MINUTES } from '../lib/json-schema';
import { readSources, validatedPages } from '../sources/read-sources';
import { createSourceCollector } from '../sources/source-readings';
import type { ZoteroSource } from '../sources/zotero-api';
import { chosenRunIdProblems, questionProblems, type RequestContext, UsageError } from './command-context';
import {
  loadCommandConfig,
  modelFlags,
  numberOption,
  parseSearch,
  pathProblems,
  skipInvalidOf,
  type SkipOptions,
  zoteroSources,
} from './command-options';
import { prepareOutDir } from './run-files';

export interface ReportOptions extends SkipOptions {
  sources?: string[];
  zotero?: string[];
  search?: string[];
  searchRounds?: string;
  searchPages?: string;
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
  approveOutline?: boolean;
  /** Minutes. */
  approvalTimeout?: string;
  words?: string;
  citations?: string;
  /** Undefined: the settings decide. */
  judge?: boolean;
  unsupported?: string;
  set?: string[];
  out?: string;
  html?: boolean;
  texts?: string;
  id?: string;
  again?: boolean;
  estimate?: boolean;
  detach?: boolean;
  json?: boolean;
}

export interface ValidatedReport {
  question: string;
  paths: string[];
  zotero: ZoteroSource[];
  /** Null without --search. */
  search: RequestedSearch | null;
  runId: string | undefined;
  again: boolean;
  estimate: boolean;
  detach: boolean;
  skipInvalid: SkipInvalid;
  json: boolean;
  html: boolean;
  approval: ApprovalSettings | undefined;
  outages: OutageSettings;
  config: Config;
}

export async function prepareReportRequest(
  ...given: Parameters<typeof validateReportRequest>
): Promise<ValidatedReport> {
  const checked = await validateReportRequest(...given);
  if (!checked.estimate) await prepareOutDir(checked.config.outDir);
  return checked;
}

/** Throws one `UsageError` that lists every problem. */
export async function validateReportRequest(
  question: string,
  options: ReportOptions,
  context: RequestContext,
): Promise<ValidatedReport> {
  const problems = questionProblems(question);
  if (options.id !== undefined) append(problems, chosenRunIdProblems(options.id, '--id'));
  if (options.again === true && options.id === undefined)
    problems.push('--again needs --id: it runs an ended id anew.');
  const approval = approvalOf(options, problems);
  const { sources: paths = [] } = options;
  append(problems, await pathProblems(paths, context.io.cwd));
  const search = parseSearch(options, problems);
  if (options.sources === undefined && options.zotero === undefined && search === null)
    problems.push('Name sources by --sources or --zotero, or what to search by --search; or both.');
  const flags = {
    engine: options.engine,
    ...modelFlags(options.model),
    outDir: options.out,
    texts: options.texts,
    'synthesis.targetReportLength': options.words,
    'synthesis.citationStyle': options.citations,
    'synthesis.unsupportedClaims': options.unsupported,
    'judge.enabled': options.judge,
    'search.rounds': options.searchRounds,
    'search.maxPages': options.searchPages,
    'budget.maxTokens': options.maxTokens,
    'budget.maxCostUsd': options.maxCost,
    'budget.maxTimeMs': options.maxTime,
    'outages.patienceMs': options.patience,
  };
  const config = await loadCommandConfig(context, { set: options.set, flags }, problems);
  const zotero = config === null ? [] : await zoteroSources(options.zotero, config, problems);
  if (config === null || problems.length > 0) throw new UsageError(problems);
  return {
    question: question.trim(),
    paths,
    zotero,
    search,
    runId: options.id,
    again: options.again === true,
    estimate: options.estimate === true,
    detach: options.detach === true,
    skipInvalid: skipInvalidOf(options),
    json: options.json === true,
    html: options.html !== false,
    approval,
    outages: runOutages(config, { waits: options.wait !== false }),
    config,
  };
}

const DEFAULT_APPROVAL_MS = 86_400_000;

function approvalOf(
  { approveOutline, approvalTimeout }: ReportOptions,
  problems: string[],
): ApprovalSettings | undefined {
  if (approvalTimeout !== undefined && approveOutline !== true)
    problems.push('--approval-timeout needs --approve-outline.');
  if (approveOutline !== true) return undefined;
  if (approvalTimeout === undefined) return { timeoutMs: DEFAULT_APPROVAL_MS };
  const { timeoutMs: schema } = ApprovalSettings.shape;
  const timeoutMs = numberOption({
    flag: '--approval-timeout',
    text: approvalTimeout,
    schema,
    unit: MINUTES,
  });
  if (typeof timeoutMs === 'number') return { timeoutMs };
  problems.push(timeoutMs.problem);
  return undefined;
}

/**
 * Reads the sources before a server starts, which can take minutes the first time. Fetches no pages. Throws
 * `InvalidSourcesError` as the import does.
 */
export async function checkSources(
  paths: readonly string[],
  { cwd, skipInvalid }: { cwd: string; skipInvalid: SkipInvalid },
): Promise<Warning[]> {
  const noted = createSourceCollector({ skipInvalid });
  for await (const reading of readSources(paths, { cwd, pages: validatedPages })) noted.note(reading);
  return noted.warnings();
}
