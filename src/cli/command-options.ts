import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { ConfigError } from '../app/app-errors';
import type { Config } from '../app/config';
import type { ConfigFlags } from '../app/config-sources';
import type { BriefPassWithResult } from '../client/brief-passes';
import type { PassWithResult } from '../client/pass-results';
import type { RequestedSearch } from '../client/run-requests';
import type { SourcesOfOneKind } from '../client/source-input';
import { capabilitiesOf, engineNames, REPORT_PASSES } from '../contracts/pipeline';
import { SearchIndexName } from '../contracts/run-input';
import { formatDuration, MAX_DURATION_MS, parseDuration } from '../contracts/schedule';
import type { SkipInvalid } from '../contracts/start';
import { readTextFile, resolveFile } from '../lib/files';
import { append } from '../lib/iterables';
import { formatValue } from '../lib/json';
import { parseNumber, type Unit } from '../lib/json-schema';
import { allowedNumber } from '../lib/validation';
import { isAddress } from '../sources/fetch-address';
import { RECORD_BOUNDS } from '../sources/formats/document-formats';
import type { ZoteroSource } from '../sources/zotero-api';
import type { RequestContext, SettingOverrides } from './command-context';
import type { CommandIo } from './terminal';

export function setOption(): Option {
  return new Option(
    '--set <name=value>',
    'any setting of docs/settings.md, such as synthesis.temperature=0.2; once for each',
  ).argParser((text, before: string[] = []) => [...before, text]);
}

export function zoteroOption(): Option {
  return new Option(
    '--zotero <collection>',
    'read a collection of Zotero, which has to run, by its name or key; once for each',
  ).argParser((text, before: string[] = []) => [...before, text]);
}

/** The collections of --zotero. Adds to `problems` what keeps them from being read. */
export async function zoteroSources(
  collections: readonly string[] = [],
  { zotero: { url } }: Pick<Config, 'zotero'>,
  problems: string[],
): Promise<ZoteroSource[]> {
  const sources = [...new Set(collections)].map((collection) => ({ url, collection }));
  const { zoteroProblem } = await import('../sources/zotero-api.js');
  for (const source of sources) {
    const problem = await zoteroProblem(source);
    if (problem !== null) problems.push(`--zotero ${source.collection}: ${problem}.`);
  }
  return sources;
}

/** What --sources and --zotero name; null without any. */
export function givenSources(
  paths: readonly string[],
  zotero: readonly ZoteroSource[],
): SourcesOfOneKind | { parts: SourcesOfOneKind[] } | null {
  if (zotero.length === 0) return paths.length === 0 ? null : { paths };
  const collections = zotero.map((source) => ({ zotero: source }));
  return { parts: paths.length === 0 ? collections : [{ paths }, ...collections] };
}

export interface SkipOptions {
  skipInvalid?: boolean;
  strict?: boolean;
}

export function skipInvalidOption(): Option {
  return new Option(
    '--skip-invalid',
    'leave out sources that cannot be read, also those that are named, with a warning for each',
  );
}

export function strictOption(): Option {
  return new Option(
    '--strict',
    'stop at files in folders that cannot be read, which are skipped otherwise',
  ).conflicts('skipInvalid');
}

export function skipInvalidOf({ skipInvalid, strict }: SkipOptions): SkipInvalid {
  return strict === true ? 'never' : skipInvalid === true;
}

export function searchOption(): Option {
  const names = SearchIndexName.options.join(', ');
  return new Option(
    '--search <indexes>',
    `search for sources, with commas between several of: ${names}`,
  ).argParser((text, before: string[] = []) => [...before, ...text.split(',').map((name) => name.trim())]);
}

export function engineChoices(): string {
  const said = engineNames.map((name) => {
    const { remark } = capabilitiesOf(name);
    return remark === null ? name : `${name} (${remark})`;
  });
  return [...said, 'local (a model of Ollama, LM Studio or llama.cpp on this machine)'].join(', ');
}

export const TEXTS_HELP =
  'around which quotes the page shows the source’s text: open (where its licence is open, or the file is yours; default), all, none';

export function modelFlags(model: string | undefined): ConfigFlags {
  return { 'openai.models.fast': model, 'openai.models.strong': model, 'openai.models.critic': model };
}

/**
 * Returns null and adds to `problems` if the configuration is invalid. Looks for local models only while
 * there are no problems. Throws `NoLocalModelError`.
 */
export async function loadCommandConfig(
  { loadConfig, loadConfigWithModels }: RequestContext,
  given: SettingOverrides,
  problems: string[],
): Promise<Config | null> {
  try {
    const { engine } = loadConfig(given);
    if (given.flags?.['openai.models.strong'] !== undefined && !capabilitiesOf(engine).asksModels)
      problems.push(
        '--model names a model to ask: add --engine local, or --engine openai with its endpoint.',
      );
    return problems.length > 0 ? loadConfig(given) : await loadConfigWithModels(given, { mayLoad: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    append(problems, configProblemLines(error));
    return null;
  }
}

function configProblemLines(error: ConfigError): string[] {
  return error.problems.map(
    ({ name, from, value, allowed }) => `${name} (${from}) is ${value}; allowed: ${allowed}`,
  );
}

export interface SearchOptions {
  search?: string[];
  searchRounds?: string;
  searchPages?: string;
}

/** Null without --search, or if there is a problem. Adds problems to `problems`. */
export function parseSearch(
  { search, searchRounds, searchPages }: SearchOptions,
  problems: string[],
): RequestedSearch | null {
  if (search === undefined) {
    if (searchRounds !== undefined) problems.push('--search-rounds needs --search.');
    if (searchPages !== undefined) problems.push('--search-pages needs --search.');
    return null;
  }
  const indexes = [...new Set(search)].flatMap((name) => {
    const known = SearchIndexName.safeParse(name);
    if (known.success) return [known.data];
    const names = SearchIndexName.options.join(', ');
    problems.push(`--search is ${formatValue(name)}: there is no such index; there are ${names}.`);
    return [];
  });
  return { indexes };
}

/** A value of --pass. A pass of a report and one of a brief can share a name. */
export interface PassArgument {
  ofReport: PassWithResult | null;
  ofBrief: BriefPassWithResult | null;
}

const BRIEF_PASSES: readonly BriefPassWithResult[] = ['gather', 'plan', 'judge'];

export function parsePass(text: string): PassArgument {
  const ofBrief = BRIEF_PASSES.find((name) => name === text) ?? null;
  const ofReport = passWithResult(text);
  if (ofReport === null && ofBrief === null)
    throw new InvalidArgumentError(
      'Of a report it has to be 1, 2 or 3, or 0 for the sources gathered; of a brief gather, plan or judge. The last pass leaves the report or brief: leave out --pass.',
    );
  return { ofReport, ofBrief };
}

/** Null for the last pass, whose result is the report. */
function passWithResult(number: string): PassWithResult | null {
  const name = /^\d$/.test(number) ? REPORT_PASSES[Number(number)] : undefined;
  return name === undefined || name === 'report' ? null : name;
}

interface NumberOption {
  flag: string;
  text: string;
  /** Of the number in the unit of the contract. */
  schema: z.ZodType;
  /** Unit of the text, if it differs. */
  unit?: Unit;
}

/** Parses a number flag that is not a setting. The problem is worded like those of settings. */
export function numberOption({ flag, text, schema, unit }: NumberOption): number | { problem: string } {
  const number = parseNumber(text, unit ?? null);
  if (number !== null && schema.safeParse(number).success) return number;
  return { problem: `${flag} is ${formatValue(text)}; allowed: ${allowedNumber(schema, unit ?? null)}.` };
}

/** In milliseconds; undefined if the flag is absent or invalid. Adds problems to `problems`. */
export function durationOption(
  flag: string,
  text: string | undefined,
  problems: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text.trim());
  if (ms !== null && ms <= MAX_DURATION_MS) return ms;
  problems.push(
    `${flag} is ${formatValue(text)}; allowed: a duration of up to ${formatDuration(MAX_DURATION_MS)}, such as 30s, 15m, 6h, 1d, 2w or 1h30m.`,
  );
  return undefined;
}

export async function pathProblems(
  paths: readonly string[],
  cwd: string,
  name = '--sources',
): Promise<string[]> {
  const problems = await Promise.all(
    paths.map(async (given) => {
      if (isAddress(given)) return [];
      if (given.trim() === '') return [`${name} has an empty path.`];
      try {
        await access(resolve(cwd, given), constants.R_OK);
        return [];
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        return [`${name} ${given}: ${missing ? 'there is no such file or folder' : 'it cannot be read'}.`];
      }
    }),
  );
  return problems.flat();
}

/** Reads a file, standard input (`-`), or a descriptor that the shell passes, such as /dev/fd/63. */
export async function readTextArgument(
  flag: string,
  file: string,
  { cwd, stdin }: CommandIo,
): Promise<{ text: string } | { problem: string }> {
  const bounds = { ...RECORD_BOUNDS, orInherited: true, stdin };
  const given = await readTextFile(resolveFile(cwd, file), bounds);
  return given.ok ? given : { problem: fileProblem(`${flag} ${file}`, given) };
}

export function fileProblem(named: string, { line, message }: { line?: number; message: string }): string {
  return `${named}${line === undefined ? '' : `, line ${line}`}: ${message}.`;
}
