import { realpath } from 'node:fs/promises';
import path, { resolve } from 'node:path';
import type { Config } from '../app/config';
import { capabilitiesOf } from '../contracts/pipeline';
import type { SkipInvalid } from '../contracts/start';
import { decodeUtf8, readFileBytes } from '../lib/files';
import { formatValue } from '../lib/json';
import type { ZoteroSource } from '../sources/zotero-api';
import { type RequestContext, UsageError } from './command-context';
import {
  fileProblem,
  loadCommandConfig,
  modelFlags,
  pathProblems,
  skipInvalidOf,
  type SkipOptions,
  zoteroSources,
} from './command-options';
import { outputFileProblems } from './run-files';

export interface VerifyOptions extends SkipOptions {
  sources?: string[];
  zotero?: string[];
  engine?: string;
  model?: string;
  maxTokens?: string;
  maxCost?: string;
  set?: string[];
  failUnder?: string;
  annotate?: string;
  out?: string;
  json?: boolean;
}

export interface VerifyRequest {
  report: ReportFile;
  paths: string[];
  zotero: ZoteroSource[];
  /** Settings of the critic's engine; null for verification by words alone. */
  critic: Config | null;
  /** Minimum share of supported claims, 0–1; null for no minimum. */
  failUnder: number | null;
  annotate: string | null;
  out: string | null;
  skipInvalid: SkipInvalid;
  json: boolean;
}

/** Throws one `UsageError` that lists every problem. */
export async function validateVerifyRequest(
  file: string,
  options: VerifyOptions,
  context: RequestContext,
): Promise<VerifyRequest> {
  const { cwd } = context.io;
  const { sources = [], annotate = null, out = null } = options;
  const report = await readReportFile(file, cwd);
  const share = options.failUnder === undefined ? null : parseShare(options.failUnder);
  const problems = [
    ...('problem' in report ? [report.problem] : []),
    ...(sources.length === 0 && options.zotero === undefined
      ? ['Nothing says what its sources are: give them by --sources or --zotero.']
      : []),
    ...(await pathProblems(sources, cwd)),
    ...(share !== null && typeof share !== 'number' ? [share.problem] : []),
    ...(annotate === null ? [] : await outputFileProblems('--annotate', annotate, cwd, [file, ...sources])),
    ...(out === null ? [] : await outputFileProblems('--out', out, cwd, [file, ...sources])),
  ];
  const critic = await criticConfig(options, context, problems);
  const zotero =
    options.zotero === undefined
      ? []
      : await zoteroSources(options.zotero, context.loadConfig({ set: options.set }), problems);
  if (annotate !== null && out !== null && path.resolve(cwd, annotate) === path.resolve(cwd, out))
    problems.push(`--annotate and --out are both ${out}: name two files.`);
  if ('problem' in report || (share !== null && typeof share !== 'number') || problems.length > 0)
    throw new UsageError(problems);
  return {
    report,
    paths: sources,
    zotero,
    critic,
    failUnder: share,
    annotate,
    out,
    skipInvalid: skipInvalidOf(options),
    json: options.json === true,
  };
}

/** Loads settings only with an engine: verification by words needs none. */
async function criticConfig(
  { engine, model, maxTokens, maxCost, set }: VerifyOptions,
  context: RequestContext,
  problems: string[],
): Promise<Config | null> {
  const limits = { 'budget.maxTokens': maxTokens, 'budget.maxCostUsd': maxCost };
  const config =
    engine === undefined
      ? null
      : await loadCommandConfig(
          context,
          { set, flags: { engine, ...modelFlags(model), ...limits } },
          problems,
        );
  if (engine !== undefined && config === null) return null;
  if (config !== null && capabilitiesOf(config.engine).asksModels) return config;
  if (maxTokens !== undefined || maxCost !== undefined)
    problems.push('--max-tokens and --max-cost limit what a model takes: name one with --engine openai.');
  return null;
}

const NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)(%?)$/;

function parseShare(text: string): number | { problem: string } {
  const given = NUMBER.exec(text.trim());
  const value = Number.parseFloat(text.trim()) / (given?.[1] === '%' ? 100 : 1);
  return given === null || value > 1
    ? { problem: `--fail-under is ${formatValue(text)}: give a share from 0 to 1, or from 0% to 100%.` }
    : value;
}

export interface ReportFile {
  /** As the user named it. */
  file: string;
  realPath: string;
  markdown: string;
  byteOrderMark: '\ufeff' | '';
}

/** Verification takes some seconds a megabyte. 4 MiB are half a million words. */
const BOUNDS = { maxBytes: 4 * 1024 * 1024, otherwise: 'verify its parts one by one' };

async function readReportFile(file: string, cwd: string): Promise<ReportFile | { problem: string }> {
  if (file.trim() === '') return { problem: 'REPORT is an empty path: name a file.' };
  const problem = (given: Parameters<typeof fileProblem>[1]): { problem: string } => ({
    problem: fileProblem(`REPORT ${file}`, given),
  });
  const located = resolve(cwd, file);
  const given = await readFileBytes(located, BOUNDS);
  if (!given.ok) return problem(given);
  const other = otherFormat(given.bytes);
  if (other !== null)
    return problem({ message: `it is ${other}; give the report as Markdown, as “export” writes it` });
  const decoded = decodeUtf8(given.bytes);
  if (!decoded.ok) return problem(decoded);
  const { text: markdown, hasByteOrderMark } = decoded;
  if (markdown.trim() === '') return problem({ message: 'the file is empty' });
  return {
    file,
    realPath: await realpath(located),
    markdown,
    byteOrderMark: hasByteOrderMark ? '\ufeff' : '',
  };
}

function otherFormat(bytes: Buffer): string | null {
  const begin = bytes.toString('latin1', 0, 1_024);
  if (begin.includes('%PDF-')) return 'a PDF';
  if (begin.startsWith('PK\u0003\u0004')) return 'a file of a word processor, or a ZIP';
  if (/^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype html|<html)\b/i.test(begin)) return 'a page of HTML';
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{\s*"/.test(begin) ? 'JSON' : null;
}
