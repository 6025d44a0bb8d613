import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { z } from 'zod';
import { engineNames } from '../contracts/pipeline';
import { EngineName } from '../contracts/run';
import {
  environmentNames,
  requiredByEngine,
  type SettingPath,
  settingPaths,
} from '../contracts/setting-names';
import { ConfigSchema, KEYED_INDEXES, withFileKeys } from '../contracts/settings';
import { type FileBounds, readTextFileSync } from '../lib/files';
import { Secret } from '../lib/process';
import { findSchemaProblems } from '../lib/validation';
import { ConfigError, type ConfigProblem } from './app-errors';
import {
  allowedValues,
  type ConfigSources,
  type Environment,
  formatSetting,
  nest,
  problemOf,
  problemWithin,
  type RawSetting,
  readRawSettings,
  type ResolvedConfigSources,
} from './config-sources';
import { BUILT_IN_PRICES, knownModel, type PriceList, readPriceList } from './price-list';

/** The settings and other values from the environment. `dataDir`, `outDir` and `cacheDir` are absolute. */
export type Config = Omit<z.infer<typeof ConfigSchema>, 'engine'> & {
  /** Default `openai` where an endpoint and its models are set, else `extractive`. Who carries out the steps of a run; `local` is `openai` with a model of a server on this machine. */
  engine: EngineName;
  /** True if no engine is set and no engine has its required settings. */
  isEngineUnchosen: boolean;
  /** Settings for models on this machine, which are resolved later; null if the engine is not `local`. */
  localModels: LocalModels | null;
  cacheDir: string;
  cwd: string;
  searchPath: string[];
  browsers: string[];
};

export interface LocalModels {
  /** Null if the role has no model name. */
  names: { fast: string | null; strong: string | null; critic: string | null };
  /** Null if the server decides. */
  maxConcurrentCalls: number | null;
}

/** Precedence: flags, environment, file, defaults. Throws one `ConfigError` with all problems. */
export function loadConfig(options: ConfigSources = {}): Config {
  const { cwd, env, set, flags } = sourcesOf(options);
  const problems: ConfigProblem[] = [];
  const given = readRawSettings({ cwd, env, set, flags }, problems);

  const nested = nest([...given.values()]);
  const parsed = ConfigSchema.safeParse(nested);
  for (const { path: keys, ownWords, allowed } of parsed.success
    ? []
    : findSchemaProblems(ConfigSchema, nested)) {
    const at = keys.join('.');
    const path = settingPaths.find((candidate) => candidate === at || at.startsWith(`${candidate}.`));
    if (path === undefined) throw new Error(`A setting without a name: ${at}`);
    const setting = given.get(path);
    problems.push(
      at === path
        ? problemOf(path, setting, ownWords ?? allowedValues(path, setting?.unit))
        : problemWithin(path, setting, {
            at: keys.slice(path.split('.').length),
            allowed,
          }),
    );
  }
  const engine = given.get('engine');
  const isGiven = (path: SettingPath): boolean => (given.get(path)?.value ?? null) !== null;
  const lack = engineProblem(engine?.value, isGiven);
  if (lack !== null) problems.push(problemOf('engine', engine, lack));
  for (const path of ['prompts.provider', 'telemetry.langfuse'] as const) {
    const setting = given.get(path);
    const missing = langfuseProblem(path, setting?.value, isGiven);
    if (missing !== null) problems.push(problemOf(path, setting, missing));
  }
  const stores = given.get('stores');
  const missingAddress = storeProblem(stores?.value, isGiven);
  if (missingAddress !== null) problems.push(problemOf('stores', stores, missingAddress));
  const tooLong = parsed.data === undefined ? null : retentionProblem(parsed.data);
  if (tooLong !== null) problems.push(problemOf('retention.keepMs', given.get('retention.keepMs'), tooLong));
  const keyInFile = (path: SettingPath): Secret | null => keyOfFile(path, given.get(path), cwd, problems);
  const modelKey = keyInFile('openai.apiKeyFile');
  const indexKeys = new Map(KEYED_INDEXES.map((name) => [name, keyInFile(`search.${name}.apiKeyFile`)]));
  const encryptionKeys = encryptionKeysText(
    { keys: given.get('encryption.keys'), keyFile: given.get('encryption.keyFile') },
    cwd,
    problems,
  );
  const priceList = priceListIn(given.get('openai.pricesFile'), cwd, problems);
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError(problems);

  const { data } = parsed;
  const configured = engine === undefined ? configuredEngine(isGiven) : undefined;
  const chosen = configured ?? data.engine;
  const searchPath = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return {
    ...data,
    engine: chosen === 'local' ? 'openai' : chosen,
    isEngineUnchosen: engine === undefined && configured === undefined,
    localModels: chosen === 'local' ? localModels(data.openai, given) : null,
    openai:
      chosen === 'local'
        ? withoutEndpoint(data.openai)
        : { ...withKnownModels(data, priceList), apiKey: data.openai.apiKey ?? modelKey },
    search: withFileKeys(data.search, indexKeys),
    encryption: { ...data.encryption, keys: encryptionKeys },
    dataDir: resolve(cwd, data.dataDir),
    outDir: resolve(cwd, data.outDir),
    cacheDir:
      data.cacheDir === undefined ? join(userCacheDir(env), 'colligate') : resolve(cwd, data.cacheDir),
    cwd,
    searchPath,
    browsers: data.chromium === null ? browsersIn(searchPath) : [resolve(cwd, data.chromium)],
  };
}

export function settingsInUse(
  options: ConfigSources = {},
): { path: SettingPath; name: string; from: ConfigProblem['from']; value: string }[] {
  loadConfig(options);
  const given = readRawSettings(sourcesOf(options), []);
  return settingPaths.flatMap((path) => {
    const setting = given.get(path);
    return setting === undefined
      ? []
      : [{ path, name: setting.name, from: setting.from, value: formatSetting(path, setting.value) }];
  });
}

/** Program names. The headless shell starts faster. */
const BROWSERS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];
const BROWSER_OF_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

function browsersIn(searchPath: readonly string[]): string[] {
  const onPath = BROWSERS.flatMap((name) => searchPath.map((folder) => join(folder, name)));
  return process.platform === 'darwin' ? [...onPath, BROWSER_OF_MAC] : onPath;
}

function sourcesOf({
  cwd = process.cwd(),
  env = process.env,
  set = [],
  flags = {},
}: ConfigSources): ResolvedConfigSources {
  return { cwd, env, set, flags };
}

export function processEnvironment(): Environment {
  return process.env;
}

export function childEnvironment(additions: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions };
}

function keyOfFile(
  path: SettingPath,
  setting: RawSetting | undefined,
  cwd: string,
  problems: ConfigProblem[],
): Secret | null {
  if (typeof setting?.value !== 'string' || setting.value.trim() === '') return null;
  const read = readKeyFile(resolve(cwd, setting.value.trim()));
  if (read instanceof Secret) return read;
  const problem = problemOf(path, setting, read.allowed);
  // The value may be the key itself, so only values that look like a path are shown.
  problems.push(/[/\\.]/.test(problem.value) ? problem : { ...problem, value: '(hidden)' });
  return null;
}

function priceListIn(setting: RawSetting | undefined, cwd: string, problems: ConfigProblem[]): PriceList {
  const file = settingText(setting);
  if (file === null) return BUILT_IN_PRICES;
  const read = readPriceList(resolve(cwd, file));
  if (!('wrong' in read)) return read;
  const allowed = `a file like src/app/data/prices.json (${read.wrong})`;
  problems.push(problemOf('openai.pricesFile', setting, allowed));
  return BUILT_IN_PRICES;
}

/** Adds prices and context windows of the list for models in use. Settings take precedence. */
function withKnownModels(
  { openai, answers, synthesis }: z.infer<typeof ConfigSchema>,
  list: PriceList,
): z.infer<typeof ConfigSchema>['openai'] {
  const { fast, strong, critic } = openai.models;
  const inUse = [fast, strong, critic, answers.model, synthesis.overviewModel, synthesis.deepdiveModel];
  const prices = { ...openai.prices };
  const contextTokens = { ...openai.contextTokens };
  for (const name of new Set(inUse.filter((one) => one !== null))) {
    const known = knownModel(list, name, openai.baseUrl);
    if (known === null) continue;
    if (!Object.hasOwn(prices, name)) prices[name] = { input: known.input, output: known.output };
    if (known.contextTokens !== undefined && !Object.hasOwn(contextTokens, name))
      contextTokens[name] = known.contextTokens;
  }
  return { ...openai, prices, contextTokens };
}

function userCacheDir(env: Environment): string {
  const home = env['HOME'] ?? homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  const chosen = env['XDG_CACHE_HOME'];
  // The XDG specification requires ignoring relative paths.
  return chosen?.startsWith('/') === true ? chosen : join(home, '.cache');
}

const PAIRS = 'id:key pairs with commas between them, each key 32 bytes in base64 (openssl rand -base64 32)';

/** The validated text of the encryption keys, or null. Problems are added without any part of a key. */
function encryptionKeysText(
  given: { keys: RawSetting | undefined; keyFile: RawSetting | undefined },
  cwd: string,
  problems: ConfigProblem[],
): Secret | null {
  const own = settingText(given.keys);
  if (own !== null) {
    const read = readEncryptionKeys(own);
    if ('wrong' in read)
      problems.push(problemOf('encryption.keys', given.keys, `${PAIRS}; wrong is: ${read.wrong}`));
  }
  const inFile = keysInFile(given.keyFile, cwd, problems);
  const text = own ?? inFile;
  return text === null ? null : new Secret(text);
}

function keysInFile(setting: RawSetting | undefined, cwd: string, problems: ConfigProblem[]): string | null {
  const file = settingText(setting);
  if (file === null) return null;
  const wrong = (why: string): null => {
    const problem = problemOf('encryption.keyFile', setting, `a file that holds ${PAIRS}; wrong is: ${why}`);
    // The value may be the keys themselves, so only values that look like a path are shown.
    problems.push(file.includes(':') || !/[/\\.]/.test(file) ? { ...problem, value: '(hidden)' } : problem);
    return null;
  };
  const given = readTextFileSync(resolve(cwd, file), KEY_BOUNDS);
  if (!given.ok) return wrong(given.message);
  const read = readEncryptionKeys(given.text);
  return 'wrong' in read ? wrong(read.wrong) : given.text;
}

function settingText(setting: RawSetting | undefined): string | null {
  return typeof setting?.value === 'string' && setting.value.trim() !== '' ? setting.value.trim() : null;
}

type IsGiven = (path: SettingPath) => boolean;

/** Allowed values if the engine lacks required settings, else null. */
function engineProblem(chosen: unknown, isGiven: IsGiven): string | null {
  const engine = EngineName.safeParse(chosen).data;
  const missing =
    engine === undefined ? [] : (requiredByEngine[engine] ?? []).filter((path) => !isGiven(path));
  if (engine === undefined || missing.length === 0) return null;
  const ready = engineNames.filter((name) => requiredByEngine[name] === undefined).join(', ');
  return `${ready}, or ${engine} together with ${missing.map((path) => environmentNames[path]).join(', ')}`;
}

function configuredEngine(isGiven: IsGiven): EngineName | undefined {
  return engineNames.find((name) => requiredByEngine[name]?.every(isGiven) === true);
}

type OpenAiSettings = z.infer<typeof ConfigSchema>['openai'];

/** Model names in the settings belong to the configured endpoint, if there is one. Names from flags apply here too. */
function localModels(openai: OpenAiSettings, given: ReadonlyMap<SettingPath, RawSetting>): LocalModels {
  const hasEndpoint = (given.get('openai.baseUrl')?.value ?? null) !== null;
  const named = (role: 'fast' | 'strong' | 'critic'): string | null =>
    !hasEndpoint || given.get(`openai.models.${role}`)?.from === 'flag' ? openai.models[role] : null;
  return {
    names: { fast: named('fast'), strong: named('strong'), critic: named('critic') },
    maxConcurrentCalls: given.has('openai.maxConcurrentCalls') ? openai.maxConcurrentCalls : null,
  };
}

/** An API key is only sent to the endpoint it was configured for. */
function withoutEndpoint(openai: OpenAiSettings): OpenAiSettings {
  return {
    ...openai,
    baseUrl: null,
    apiKey: null,
    apiKeyFile: null,
    models: { ...openai.models, fast: null, strong: null, critic: null },
  };
}

const LANGFUSE_SETTINGS = ['langfuse.baseUrl', 'langfuse.publicKey', 'langfuse.secretKey'] as const;

const SWITCHES = {
  'prompts.provider': { on: 'langfuse', off: 'code' },
  'telemetry.langfuse': { on: true, off: false },
} as const;

/** Allowed values if Langfuse is on without its settings, else null. */
function langfuseProblem(
  path: keyof typeof SWITCHES,
  value: unknown,
  isGiven: (path: SettingPath) => boolean,
): string | null {
  const { on, off } = SWITCHES[path];
  const missing = LANGFUSE_SETTINGS.filter((needed) => !isGiven(needed));
  if (value !== on || missing.length === 0) return null;
  return `${off}, or ${on} together with ${missing.map((needed) => environmentNames[needed]).join(', ')}`;
}

/** Allowed values if Redis has no address, else null. */
function storeProblem(stores: unknown, isGiven: (path: SettingPath) => boolean): string | null {
  if (stores !== 'redis' || isGiven('redis.url')) return null;
  return `lmdb, or redis together with ${environmentNames['redis.url']}`;
}

interface RetentionSettings {
  stores: string;
  redis: { ttlMs: number };
  retention: { keepMs: number | null };
}

/** Allowed retention if Redis would expire runs before it ends, else null. */
function retentionProblem({ stores, redis, retention }: RetentionSettings): string | null {
  if (stores !== 'redis' || retention.keepMs === null || retention.keepMs < redis.ttlMs) return null;
  return `less than ${redis.ttlMs}, after which Redis lets go of what nobody uses: raise ${environmentNames['redis.ttlMs']} above it`;
}

export interface EncryptionKey {
  id: string;
  key: Secret;
}

const KEY_BYTES = 32;

/** Shorter than any key in base64, so that a key in the place of the id is rejected. */
const KEY_ID = /^[A-Za-z0-9._-]{1,24}$/;

/** Parses `id:key` pairs, separated by commas or line breaks. Errors show no part of a key. */
export function readEncryptionKeys(text: string): readonly EncryptionKey[] | { wrong: string } {
  const entries = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return { wrong: 'there is no key' };
  const keys: EncryptionKey[] = [];
  for (const [index, entry] of entries.entries()) {
    const where = `key ${index + 1} of ${entries.length}`;
    const colon = entry.indexOf(':');
    if (colon < 0) return { wrong: `${where} has no id: write id:key` };
    const [id, key] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    if (!KEY_ID.test(id))
      return {
        wrong: `${where} has an id that is not 1 to 24 letters, digits, dots, dashes and underscores`,
      };
    const bytes = Buffer.from(key, 'base64');
    if (bytes.toString('base64') !== key) return { wrong: `${where} is not base64 as RFC 4648 has it` };
    if (bytes.length !== KEY_BYTES)
      return { wrong: `${where} has ${bytes.length} bytes, and has to have ${KEY_BYTES}` };
    const twin = keys.findIndex((other) => other.id === id);
    if (twin >= 0) return { wrong: `keys ${twin + 1} and ${index + 1} have the same id` };
    keys.push({ id, key: new Secret(key) });
  }
  return keys;
}

/** A shell or a supervisor may pass the key as a file descriptor. */
const KEY_BOUNDS: FileBounds = { maxBytes: 64 * 1024, orInherited: true };

export function readKeyFile(file: string): Secret | { allowed: string } {
  const given = readTextFileSync(file, KEY_BOUNDS);
  if (!given.ok) return keyFileProblem(given.message);
  const key = given.text.trim();
  return /\s/.test(key) ? keyFileProblem('it has more than one word') : new Secret(key);
}

function keyFileProblem(why: string): { allowed: string } {
  return { allowed: `a file that holds the key and nothing else (${why})` };
}
