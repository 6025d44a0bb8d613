import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { z } from 'zod';
import { allowedValues, settingType } from './allowed';
import { ConfigError, type ConfigProblem } from './config-error';
import { configFileName, readConfigFile } from './config-file';
import { nest, problemOf, problemWithin, type Given } from './given';
import { configuredEngine, lackOf } from './engine-needs';
import { flagName } from './flag-name';
import { langfuseLack } from './langfuse-needs';
import { readKeyFile } from './key-file';
import { ConfigSchema } from './schema';
import { retentionLack, storeLack, storePaths } from './store-needs';
import {
  environmentNames,
  namedSettingPaths,
  type NamedSettingPath,
  settingPaths,
  type SettingPath,
} from './setting-names';
import { nearestName } from '../core/values/nearest-name';
import { Secret } from '../platform/secret';

/** The settings, and what else is known from the environment. `dataDir`, `outDir` and `cacheDir` are absolute. */
export type Config = z.infer<typeof ConfigSchema> & {
  cacheDir: string;
  /** The folders of PATH. */
  searchPath: string[];
};

/** Values of flags, by the setting that they set; an absent flag is undefined. */
export type ConfigFlags = Partial<Record<NamedSettingPath, string | number | boolean | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Flags over environment over file over defaults. Throws one `ConfigError` with everything that is wrong. */
export function loadConfig(options: { cwd?: string; env?: Environment; flags?: ConfigFlags } = {}): Config {
  const { cwd = process.cwd(), env = process.env, flags = {} } = options;
  const problems: ConfigProblem[] = [];
  const given = new Map<SettingPath, Given>();
  for (const setting of [
    ...readConfigFile(join(cwd, configFileName), problems),
    ...readEnvironment(env, problems),
    ...readFlags(flags),
  ]) {
    given.set(setting.path, setting);
  }

  const parsed = ConfigSchema.safeParse(nest([...given.values()]));
  for (const issue of parsed.error?.issues ?? []) {
    const at = issue.path.join('.');
    const path = settingPaths.find((candidate) => candidate === at || at.startsWith(`${candidate}.`));
    if (path === undefined) throw new Error(`A setting without a name: ${issue.path.join('.')}`);
    const setting = given.get(path);
    problems.push(
      at === path
        ? problemOf(path, setting, issue.code === 'custom' ? issue.message : allowedValues(path))
        : problemWithin(path, setting, {
            at: issue.path.slice(path.split('.').length),
            message: issue.message,
          }),
    );
  }
  const engine = given.get('engine');
  const isGiven = (path: NamedSettingPath): boolean => (given.get(path)?.value ?? null) !== null;
  const lack = lackOf(engine?.value, isGiven);
  if (lack !== null) problems.push(problemOf('engine', engine, lack));
  for (const path of ['prompts.provider', 'telemetry.langfuse'] as const) {
    const setting = given.get(path);
    const missing = langfuseLack(path, setting?.value, isGiven);
    if (missing !== null) problems.push(problemOf(path, setting, missing));
  }
  for (const path of storePaths) {
    const setting = given.get(path);
    const missing = storeLack(setting?.value, isGiven);
    if (missing !== null) problems.push(problemOf(path, setting, missing));
  }
  const tooLong = parsed.data === undefined ? null : retentionLack(parsed.data);
  if (tooLong !== null) problems.push(problemOf('retention.keepMs', given.get('retention.keepMs'), tooLong));
  const keyFromFile = keyInFile(given.get('openai.apiKeyFile'), cwd, problems);
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError(problems);

  const { data } = parsed;
  return {
    ...data,
    engine: (engine === undefined ? configuredEngine(isGiven) : undefined) ?? data.engine,
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

function keyInFile(setting: Given | undefined, cwd: string, problems: ConfigProblem[]): Secret | null {
  if (typeof setting?.value !== 'string' || setting.value.trim() === '') return null;
  const read = readKeyFile(resolve(cwd, setting.value.trim()));
  if (read instanceof Secret) return read;
  const problem = problemOf('openai.apiKeyFile', setting, read.allowed);
  // Who gives the key itself by mistake does not find it in a log.
  problems.push(/[/\\.]/.test(problem.value) ? problem : { ...problem, value: '(hidden)' });
  return null;
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

function userCacheDir(env: Environment): string {
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const chosen = env['XDG_CACHE_HOME'];
  // The specification says that a relative path is to be ignored.
  return chosen?.startsWith('/') === true ? chosen : join(home, '.cache');
}
