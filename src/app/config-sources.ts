import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { environmentNames, secretPaths, type SettingPath, settingPaths } from '../contracts/setting-names';
import { ConfigSchema } from '../contracts/settings';
import { type FileBounds, readTextFileSync } from '../lib/files';
import { formatValue, isRecord, parseBoundedJson } from '../lib/json';
import {
  allowedRange,
  type JsonSchema,
  MINUTES,
  nonNullAlternatives,
  parseNumber,
  rangeText,
  type Unit,
} from '../lib/json-schema';
import { nearestName } from '../lib/strings';
import type { ConfigProblem } from './app-errors';

/** Settings with a flag of their own on some command. `--set` accepts all settings. */
export const ownFlags: Partial<Record<SettingPath, string>> = {
  engine: '--engine',
  outDir: '--out',
  'openai.models.fast': '--model',
  'openai.models.strong': '--model',
  'openai.models.critic': '--model',
  texts: '--texts',
  'synthesis.targetReportLength': '--words',
  'synthesis.citationStyle': '--citations',
  'synthesis.unsupportedClaims': '--unsupported',
  'answers.citations': '--citations',
  'answers.maxAttempts': '--attempts',
  'report.maxLength': '--max-length',
  'report.template': '--template',
  'brief.unsupportedClaims': '--unsupported',
  'judge.enabled': '--no-judge',
  'judge.threshold': '--threshold',
  'judge.maxRevisions': '--max-revisions',
  'budget.maxTokens': '--max-tokens',
  'budget.maxCostUsd': '--max-cost',
  'budget.maxTimeMs': '--max-time',
  'answers.patienceMs': '--patience',
  'outages.patienceMs': '--patience',
  'search.rounds': '--search-rounds',
  'search.maxPages': '--search-pages',
  'worker.roles': '--roles',
};

const flagUnits: Partial<Record<SettingPath, Unit>> = {
  'budget.maxTimeMs': MINUTES,
  'answers.patienceMs': MINUTES,
  'outages.patienceMs': MINUTES,
};

/** Flag values by setting. Text is in the unit of the flag, numbers are in the unit of the setting. */
export type ConfigFlags = Partial<Record<SettingPath, string | number | boolean | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  cwd?: string;
  env?: Environment;
  set?: readonly string[] | undefined;
  flags?: ConfigFlags;
}

export type ResolvedConfigSources = { [Key in keyof ConfigSources]-?: NonNullable<ConfigSources[Key]> };

/** Collects raw settings. Precedence: flags, `--set`, environment, file. Unknown names are added to `problems`. */
export function readRawSettings(
  { cwd, env, set, flags }: ResolvedConfigSources,
  problems: ConfigProblem[],
): ReadonlyMap<SettingPath, RawSetting> {
  const given = new Map<SettingPath, RawSetting>();
  for (const setting of [
    ...readConfigFile(join(cwd, configFileName), problems),
    ...readEnvironment(env, problems),
    ...readSet(set, problems),
    ...readFlags(flags),
  ]) {
    given.set(setting.path, setting);
  }
  return given;
}

function readSet(set: readonly string[], problems: ConfigProblem[]): RawSetting[] {
  return set.flatMap((text) => {
    const [name = '', ...rest] = text.split('=');
    const path = settingPaths.find((candidate) => candidate === name);
    if (path !== undefined && rest.length > 0 && !secretPaths.includes(path))
      return [
        { path, name: `--set ${path}`, from: 'flag' as const, ...fromText(path, rest.join('='), null) },
      ];
    problems.push({ name: `--set ${name}`, from: 'flag', ...setProblem(path, name) });
    return [];
  });
}

function setProblem(path: SettingPath | undefined, name: string): Pick<ConfigProblem, 'value' | 'allowed'> {
  if (path === undefined) return unknownSetting(name);
  return secretPaths.includes(path)
    ? { value: '(hidden)', allowed: `in the environment only, as ${environmentNames[path]}` }
    : { value: 'without a value', allowed: `--set ${path}=VALUE: ${allowedValues(path)}` };
}

function readFlags(flags: ConfigFlags): RawSetting[] {
  return settingPaths.flatMap((path) => {
    const value = flags[path];
    return value === undefined
      ? []
      : [
          {
            path,
            name: flagName(path),
            from: 'flag' as const,
            ...(typeof value === 'string' ? fromText(path, value, flagUnit(path)) : { value }),
          },
        ];
  });
}

/** Empty variables count as absent, because compose files unset variables that way. */
function readEnvironment(env: Environment, problems: ConfigProblem[]): RawSetting[] {
  const known = Object.values(environmentNames);
  for (const name of Object.keys(env)) {
    if (!name.startsWith('COLLIGATE_') || known.some((candidate) => candidate === name)) continue;
    const meant = nearestName(name, known);
    if (meant !== null) {
      problems.push({ name, from: 'environment', value: 'not a setting', allowed: `did you mean ${meant}?` });
    }
  }
  return settingPaths.flatMap((path) => {
    const name = environmentNames[path];
    const text = env[name];
    return text === undefined || text === ''
      ? []
      : [{ path, name, from: 'environment' as const, ...fromText(path, text, null) }];
  });
}

/** Converts text to the type of the setting. Text that does not convert stays text, and the schema rejects it. */
function fromText(
  path: SettingPath,
  text: string,
  unit: Unit | null,
): Pick<RawSetting, 'value' | 'text' | 'unit'> {
  const type = settingType(path);
  const json = type === 'table' ? parseBoundedJson(text) : null;
  if (json?.ok === true) return { value: json.value };
  const number = type === 'number' ? parseNumber(text, unit) : null;
  if (number !== null) return { value: number, text, unit };
  if (type === 'boolean' && /^(true|1)$/i.test(text)) return { value: true };
  if (type === 'boolean' && /^(false|0)$/i.test(text)) return { value: false };
  return { value: text, unit };
}

function flagUnit(path: SettingPath): Unit | null {
  return flagUnits[path] ?? null;
}

function flagName(path: SettingPath): string {
  return ownFlags[path] ?? `--set ${path}`;
}

export const configFileName = 'colligate.config.json';

const CONFIG_BOUNDS: FileBounds = { maxBytes: 1024 * 1024 };

const fileAliases: Readonly<Record<string, SettingPath>> = { 'report.outputDir': 'outDir' };

/** Returns no settings if the file is missing. Errors are added to `problems`. */
function readConfigFile(file: string, problems: ConfigProblem[]): RawSetting[] {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return [];
  const wrong = (value: string, allowed: string): RawSetting[] => {
    problems.push({ name: configFileName, from: 'file', value, allowed });
    return [];
  };
  const text = readTextFileSync(file, CONFIG_BOUNDS);
  if (!text.ok) return wrong(`unreadable: ${text.message}`, 'a readable file, or none');
  const json = parseBoundedJson(text.text);
  if (!json.ok) return wrong(json.message, 'a JSON object');
  const content = json.value;
  if (!isRecord(content)) return wrong(formatSetting('', content), 'a JSON object');
  const given = readObject(content, '', problems);
  for (const [alias, path] of Object.entries(fileAliases)) {
    const own = given.find(({ name }) => name === path);
    const other = given.find(({ name }) => name === alias);
    if (own === undefined || other === undefined || own.value === other.value) continue;
    const allowed = `one of the two names: ${path} is ${formatSetting(path, own.value)} in the same file`;
    problems.push({ name: alias, from: 'file', value: formatSetting(path, other.value), allowed });
  }
  return given;
}

function readObject(
  content: Record<string, unknown>,
  prefix: string,
  problems: ConfigProblem[],
): RawSetting[] {
  return Object.entries(content).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const path = fileAliases[name] ?? settingPaths.find((candidate) => candidate === name);
    const secret = secretPaths.find((candidate) => candidate === path);
    if (secret !== undefined) {
      problems.push({
        name,
        from: 'file',
        value: '(hidden)',
        allowed: `in the environment only, as ${environmentNames[secret]}`,
      });
      return [];
    }
    if (path !== undefined) return [{ path, name, from: 'file' as const, value }];
    if (settingPaths.some((candidate) => candidate.startsWith(`${name}.`))) {
      if (isRecord(value)) return readObject(value, `${name}.`, problems);
      problems.push({ name, from: 'file', value: formatSetting(name, value), allowed: 'a JSON object' });
      return [];
    }
    problems.push({ name, from: 'file', ...unknownSetting(name) });
    return [];
  });
}

export interface RawSetting {
  path: SettingPath;
  name: string;
  from: ConfigProblem['from'];
  value: unknown;
  /** The original text of a number. */
  text?: string;
  /** Unit of `text`; null for the setting's own unit. */
  unit?: Unit | null;
}

/** Problem of a setting. For an unset setting it shows the default. */
export function problemOf(
  path: SettingPath,
  setting: RawSetting | undefined,
  allowed: string,
): ConfigProblem {
  if (setting === undefined)
    return { name: path, from: 'default', value: formatSetting(path, defaultOf(path)), allowed };
  return { name: setting.name, from: setting.from, value: formatRawSetting(path, setting), allowed };
}

/** Problem inside a table or list. `at` is the path, which begins with the entry. */
export function problemWithin(
  path: SettingPath,
  setting: RawSetting | undefined,
  { at, allowed }: { at: PropertyKey[]; allowed: string },
): ConfigProblem {
  const [entry = ''] = at;
  const named = typeof entry === 'number' ? `entry ${entry + 1}` : String(entry);
  const table: unknown = setting?.value;
  const value: unknown =
    isRecord(table) || Array.isArray(table)
      ? Object.entries<unknown>(table).find(([key]) => key === String(entry))?.[1]
      : undefined;
  const whole = problemOf(path, setting, allowedValues(path));
  const where = [named, ...at.slice(1).map(String)].join(', ');
  return {
    ...whole,
    value: value === undefined ? whole.value : formatSetting(path, value),
    allowed: `${whole.allowed}; wrong is ${where}: ${allowed}`,
  };
}

function unknownSetting(name: string): Pick<ConfigProblem, 'value' | 'allowed'> {
  const ofThatName = settingPaths.filter((path) => path.endsWith(`.${name}`));
  const meant = ofThatName.length > 0 ? ofThatName.join(' or ') : nearestName(name, settingPaths);
  return {
    value: 'not a setting',
    allowed: meant === null ? settingPaths.join(', ') : `did you mean ${meant}?`,
  };
}

export function defaultOf(path: SettingPath): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), ConfigSchema.parse({}));
}

export function formatSetting(path: string, value: unknown): string {
  return isSecret(path) ? '(hidden)' : formatValue(value, SHOWN_CHARS);
}

function formatRawSetting(path: string, { value, text }: RawSetting): string {
  if (isSecret(path) || text === undefined || text.length > SHOWN_CHARS)
    return formatSetting(path, text ?? value);
  return text.trim();
}

const SHOWN_CHARS = 200;

function isSecret(path: string): boolean {
  return secretPaths.some((secret) => secret === path);
}

/** Nests settings by their dotted paths: `openai.baseUrl` becomes a field of `openai`. */
export function nest(settings: RawSetting[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of settings) {
    const keys = path.split('.');
    const last = keys.pop() ?? path;
    let group = root;
    for (const key of keys) {
      const within = group[key];
      const next = isRecord(within) ? within : {};
      group[key] = next;
      group = next;
    }
    group[last] = value;
  }
  return root;
}

const root = z.toJSONSchema(ConfigSchema, { io: 'input' }) as JsonSchema;

function settingSchema(path: SettingPath): JsonSchema {
  const found = path
    .split('.')
    .reduce<JsonSchema | undefined>((schema, key) => schema?.properties?.[key], root);
  const [wanted = {}] = found === undefined ? [] : nonNullAlternatives(found);
  const description = found?.description ?? wanted.description;
  return description === undefined ? wanted : { ...wanted, description };
}

export function settingType(path: SettingPath): 'number' | 'boolean' | 'table' | 'text' {
  const { type } = settingSchema(path);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'object' || type === 'array') return 'table';
  return type === 'boolean' ? 'boolean' : 'text';
}

export function allowedValues(path: SettingPath, unit: Unit | null = null): string {
  const schema = settingSchema(path);
  if (unit !== null) return allowedRange(schema, unit);
  if (schema.description !== undefined) return schema.description;
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'integer' || schema.type === 'number') {
    return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${rangeText(schema)}`;
  }
  return 'text that is not empty';
}
