import path from 'node:path';
import type { Config } from '../../config/config';
import { traitsOf } from '../../contracts/run/engines';
import { UsageError } from '../failures/usage-error';
import { targetProblems } from './chosen-file';
import { configWith, modelFlags } from './config-with';
import type { RequestContext } from '../command-context';
import { type ReportFile, readReportFile } from './report-file';
import { pathProblems } from './path-problems';
import { toldValue } from '../../core/values/told-value';

export interface VerifyOptions {
  sources?: string[];
  engine?: string;
  model?: string;
  maxTokens?: string;
  maxCost?: string;
  set?: string[];
  failUnder?: string;
  annotate?: string;
  out?: string;
  skipInvalid?: boolean;
  json?: boolean;
}

export interface VerifyRequest {
  report: ReportFile;
  paths: string[];
  /** The settings of the engine whose critic is asked; null where words alone decide. */
  critic: Config | null;
  /** The least share of claims that have to be supported, 0–1; null where any will do. */
  failUnder: number | null;
  annotate: string | null;
  out: string | null;
  skipInvalid: boolean;
  json: boolean;
}

/** Throws one `UsageError` with everything that is wrong. */
export async function checkVerifyRequest(
  file: string,
  options: VerifyOptions,
  context: RequestContext,
): Promise<VerifyRequest> {
  const { cwd } = context.io;
  const { sources = [], annotate = null, out = null } = options;
  const report = await readReportFile(file, cwd);
  const share = options.failUnder === undefined ? null : shareGiven(options.failUnder);
  const problems = [
    ...('problem' in report ? [report.problem] : []),
    ...(sources.length === 0 ? ['Nothing says what its sources are: give them by --sources.'] : []),
    ...(await pathProblems(sources, cwd)),
    ...(share !== null && typeof share !== 'number' ? [share.problem] : []),
    ...(annotate === null ? [] : await targetProblems('--annotate', annotate, cwd, [file, ...sources])),
    ...(out === null ? [] : await targetProblems('--out', out, cwd, [file, ...sources])),
  ];
  const critic = await criticGiven(options, context, problems);
  if (annotate !== null && out !== null && path.resolve(cwd, annotate) === path.resolve(cwd, out))
    problems.push(`--annotate and --out are both ${out}: name two files.`);
  if ('problem' in report || (share !== null && typeof share !== 'number') || problems.length > 0)
    throw new UsageError(problems);
  return {
    report,
    paths: sources,
    critic,
    failUnder: share,
    annotate,
    out,
    skipInvalid: options.skipInvalid === true,
    json: options.json === true,
  };
}

/** Settings are read where an engine is named: what only words decide needs none. */
async function criticGiven(
  { engine, model, maxTokens, maxCost, set }: VerifyOptions,
  context: RequestContext,
  problems: string[],
): Promise<Config | null> {
  const limits = { 'budget.maxTokens': maxTokens, 'budget.maxCostUsd': maxCost };
  const config =
    engine === undefined
      ? null
      : await configWith(context, { set, flags: { engine, ...modelFlags(model), ...limits } }, problems);
  if (engine !== undefined && config === null) return null;
  if (config !== null && traitsOf(config.engine).asksModels) return config;
  if (maxTokens !== undefined || maxCost !== undefined)
    problems.push('--max-tokens and --max-cost limit what a model takes: name one with --engine openai.');
  return null;
}

const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)(%?)$/;

/** A share as it is given: `0.8` or `80%`. */
function shareGiven(text: string): number | { problem: string } {
  const given = NUMBER.exec(text.trim());
  const value = Number.parseFloat(text.trim()) / (given?.[1] === '%' ? 100 : 1);
  return given === null || value > 1
    ? { problem: `--fail-under is ${toldValue(text)}: give a share from 0 to 1, or from 0% to 100%.` }
    : value;
}
