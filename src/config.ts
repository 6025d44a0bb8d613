import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { z } from 'zod';
import { allowedValues, settingType } from './config-allowed';
import { ConfigError, type ConfigProblem } from './config-error';
import {
  ConfigSchema,
  environmentNames,
  flagName,
  namedSettingPaths,
  type NamedSettingPath,
  secretPaths,
  settingPaths,
  type SettingPath,
} from './config-schema';
import { errorCode } from './error-code';
import { nearestName } from './nearest-name';
import { Secret } from './secret';

/** The settings, and what else is known from the environment. `dataDir`, `outDir` and `cacheDir` are absolute. */
export type Config = z.infer<typeof ConfigSchema> & {
  cacheDir: string;
  /** The folders of PATH. */
  searchPath: string[];
};

/** Values of flags, by the setting that they set; an absent flag is undefined. */
export type ConfigFlags = Partial<Record<NamedSettingPath, string | number | boolean | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export const configFileName = 'colligate.config.json';

interface Given {
  path: SettingPath;
  name: string;
  from: ConfigProblem['from'];
  value: unknown;
}

/** Flags over environment over file over defaults. Throws one `ConfigError` with everything that is wrong. */
export function loadConfig(options: { cwd?: string; env?: Environment; flags?: ConfigFlags } = {}): Config {
  const { cwd = process.cwd(), env = process.env, flags = {} } = options;
  const problems: ConfigProblem[] = [];
  const given = new Map<SettingPath, Given>();
  for (const setting of [
    ...readFile(join(cwd, configFileName), problems),
    ...readEnvironment(env, problems),
    ...readFlags(flags),
  ]) {
    given.set(setting.path, setting);
  }

  const parsed = ConfigSchema.safeParse(nest([...given.values()]));
  for (const issue of parsed.error?.issues ?? []) {
    const at = issue.path.join('.');
    // What is wrong within a table is told of the table.
    const path = settingPaths.find((candidate) => candidate === at || at.startsWith(`${candidate}.`));
    if (path === undefined) throw new Error(`A setting without a name: ${issue.path.join('.')}`);
    problems.push(
      problemOf(path, given.get(path), issue.code === 'custom' ? issue.message : allowedValues(path)),
    );
  }
  const engine = given.get('engine');
  const missing = engine?.value === 'openai' ? missingForModels(given) : [];
  if (missing.length > 0) {
    const allowed = `extractive, or openai together with ${missing.map((path) => environmentNames[path]).join(', ')}`;
    problems.push(problemOf('engine', engine, allowed));
  }
  const keyFromFile = readKeyFile(given.get('openai.apiKeyFile'), cwd, problems);
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError(problems);

  const { data } = parsed;
  return {
    ...data,
    // An endpoint with its models is configured to be used.
    engine: engine === undefined && missingForModels(given).length === 0 ? 'openai' : data.engine,
    openai: { ...data.openai, apiKey: data.openai.apiKey ?? keyFromFile },
    dataDir: resolve(cwd, data.dataDir),
    outDir: resolve(cwd, data.outDir),
    cacheDir:
      data.cacheDir === undefined ? join(userCacheDir(env), 'colligate') : resolve(cwd, data.cacheDir),
    searchPath: (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== ''),
  };
}

/** This process's environment with additions, for a child process. */
export function childEnvironment(additions: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}

function problemOf(path: SettingPath, setting: Given | undefined, allowed: string): ConfigProblem {
  if (setting === undefined)
    return { name: path, from: 'default', value: show(path, defaultOf(path)), allowed };
  return { name: setting.name, from: setting.from, value: show(path, setting.value), allowed };
}

function defaultOf(path: SettingPath): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), ConfigSchema.parse({}));
}

function show(path: string, value: unknown): string {
  if (secretPaths.some((secret) => secret === path)) return '(hidden)';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What the openai engine cannot do without; the critic is the strong model where it is not set. */
const neededForModels: readonly NamedSettingPath[] = [
  'openai.baseUrl',
  'openai.models.fast',
  'openai.models.strong',
];

function missingForModels(given: ReadonlyMap<SettingPath, Given>): NamedSettingPath[] {
  return neededForModels.filter((path) => (given.get(path)?.value ?? null) === null);
}

/** The key in the file that the setting names; a message has the file's name, and nothing of what is in it. */
function readKeyFile(setting: Given | undefined, cwd: string, problems: ConfigProblem[]): Secret | null {
  if (typeof setting?.value !== 'string' || setting.value.trim() === '') return null;
  const wrong = (why: string): null => {
    const allowed = `a file that holds the key and nothing else (${why})`;
    const problem = problemOf('openai.apiKeyFile', setting, allowed);
    // Who gives the key itself by mistake does not find it in a log.
    problems.push(/[/\\.]/.test(problem.value) ? problem : { ...problem, value: '(hidden)' });
    return null;
  };
  let text: string;
  try {
    text = readFileSync(resolve(cwd, setting.value.trim()), 'utf8');
  } catch (error) {
    return wrong(`it cannot be read: ${errorCode(error) ?? 'unknown reason'}`);
  }
  const key = text.replace(/^\uFEFF/, '').trim();
  if (key === '') return wrong('it is empty');
  return /\s/.test(key) ? wrong('it has more than one word') : new Secret(key);
}

function readFlags(flags: ConfigFlags): Given[] {
  return namedSettingPaths.flatMap((path) => {
    const value = flags[path];
    return value === undefined
      ? []
      : [
          {
            path,
            name: flagName(path),
            from: 'flag' as const,
            value: typeof value === 'string' ? fromText(path, value) : value,
          },
        ];
  });
}

/** An empty variable counts as absent: that is how compose files leave one out. */
function readEnvironment(env: Environment, problems: ConfigProblem[]): Given[] {
  const known = Object.values(environmentNames);
  for (const name of Object.keys(env)) {
    if (!name.startsWith('COLLIGATE_') || known.some((candidate) => candidate === name)) continue;
    const meant = nearestName(name, known);
    if (meant !== null) {
      problems.push({ name, from: 'environment', value: 'not a setting', allowed: `did you mean ${meant}?` });
    }
  }
  return namedSettingPaths.flatMap((path) => {
    const name = environmentNames[path];
    const text = env[name];
    return text === undefined || text === ''
      ? []
      : [{ path, name, from: 'environment' as const, value: fromText(path, text) }];
  });
}

/** A text that is not what the setting wants stays a text, and the schema refuses it. */
function fromText(path: SettingPath, text: string): unknown {
  const type = settingType(path);
  if (type === 'number' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return Number(text);
  if (type === 'boolean' && /^(true|1)$/i.test(text)) return true;
  if (type === 'boolean' && /^(false|0)$/i.test(text)) return false;
  return text;
}

function readFile(file: string, problems: ConfigProblem[]): Given[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    problems.push({
      name: configFileName,
      from: 'file',
      value: `unreadable: ${String(error)}`,
      allowed: 'a readable file, or none',
    });
    return [];
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    problems.push({
      name: configFileName,
      from: 'file',
      value: `not JSON: ${String(error)}`,
      allowed: 'a JSON object',
    });
    return [];
  }
  if (!isRecord(content)) {
    problems.push({ name: configFileName, from: 'file', value: show('', content), allowed: 'a JSON object' });
    return [];
  }
  return readObject(content, '', problems);
}

function readObject(content: Record<string, unknown>, prefix: string, problems: ConfigProblem[]): Given[] {
  return Object.entries(content).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const path = settingPaths.find((candidate) => candidate === name);
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
      problems.push({ name, from: 'file', value: show(name, value), allowed: 'a JSON object' });
      return [];
    }
    const meant = nearestName(name, settingPaths);
    problems.push({
      name,
      from: 'file',
      value: 'not a setting',
      allowed: meant === null ? settingPaths.join(', ') : `did you mean ${meant}?`,
    });
    return [];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nest(settings: Given[]): Record<string, unknown> {
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

function userCacheDir(env: Environment): string {
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const chosen = env['XDG_CACHE_HOME'];
  // The specification says that a relative path is to be ignored.
  return chosen?.startsWith('/') === true ? chosen : join(home, '.cache');
}
