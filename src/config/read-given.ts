import { join } from 'node:path';
import { allowedValues, settingType } from './allowed';
import type { ConfigProblem } from './config-error';
import { configFileName, readConfigFile } from './config-file';
import { noSetting, type Given } from './given';
import { environmentNames, secretPaths, settingPaths, type SettingPath } from './setting-names';
import { numberGiven, type Unit, MINUTES } from '../core/shapes/units';
import { givenJson } from '../core/values/given-json';
import { nearestName } from '../core/values/nearest-name';

/** The settings that have a flag of their own on some command; all of them are given with `--set`. */
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

/** Values of flags, by the setting that they set: a text is in the flag's own unit, a number in the setting's; an absent flag is undefined. */
export type ConfigFlags = Partial<Record<SettingPath, string | number | boolean | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sources {
  cwd?: string;
  env?: Environment;
  /** `name=value` each, as `--set` has them. */
  set?: readonly string[] | undefined;
  flags?: ConfigFlags;
}

export type SettledSources = { [Key in keyof Sources]-?: NonNullable<Sources[Key]> };

/** What is set, before it is checked: flags of their own over `--set` over environment over file. What is no setting joins the problems. */
export function readGiven(
  { cwd, env, set, flags }: SettledSources,
  problems: ConfigProblem[],
): ReadonlyMap<SettingPath, Given> {
  const given = new Map<SettingPath, Given>();
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

function readSet(set: readonly string[], problems: ConfigProblem[]): Given[] {
  return set.flatMap((text) => {
    const [name = '', ...rest] = text.split('=');
    const path = settingPaths.find((candidate) => candidate === name);
    if (path !== undefined && rest.length > 0 && !secretPaths.includes(path))
      return [
        { path, name: `--set ${path}`, from: 'flag' as const, ...fromText(path, rest.join('='), null) },
      ];
    problems.push({ name: `--set ${name}`, from: 'flag', ...whyNotSet(path, name) });
    return [];
  });
}

function whyNotSet(path: SettingPath | undefined, name: string): Pick<ConfigProblem, 'value' | 'allowed'> {
  if (path === undefined) return noSetting(name);
  return secretPaths.includes(path)
    ? { value: '(hidden)', allowed: `in the environment only, as ${environmentNames[path]}` }
    : { value: 'without a value', allowed: `--set ${path}=VALUE: ${allowedValues(path)}` };
}

function readFlags(flags: ConfigFlags): Given[] {
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
  return settingPaths.flatMap((path) => {
    const name = environmentNames[path];
    const text = env[name];
    return text === undefined || text === ''
      ? []
      : [{ path, name, from: 'environment' as const, ...fromText(path, text, null) }];
  });
}

/** A text that is not what the setting wants stays a text, and the schema refuses it. */
function fromText(
  path: SettingPath,
  text: string,
  unit: Unit | null,
): Pick<Given, 'value' | 'text' | 'unit'> {
  const type = settingType(path);
  const json = type === 'table' ? givenJson(text) : null;
  if (json?.ok === true) return { value: json.value };
  const number = type === 'number' ? numberGiven(text, unit) : null;
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
