import { allowedValues } from './allowed';
import type { ConfigProblem } from './config-error';
import { ConfigSchema } from './schema';
import { secretPaths, settingPaths, type SettingPath } from './setting-names';
import type { Unit } from '../core/shapes/units';
import { toldValue } from '../core/values/told-value';
import { nearestName } from '../core/values/nearest-name';
import { isRecord } from '../core/values/is-record';

/** A setting as somebody gave it, before it is checked. */
export interface Given {
  path: SettingPath;
  name: string;
  from: ConfigProblem['from'];
  value: unknown;
  /** What was written, where a number was read out of it. */
  text?: string;
  /** What that was written in; null where it is the setting's own unit. */
  unit?: Unit | null;
}

/** What is wrong with a setting; of one that nobody gave, with its default. */
export function problemOf(path: SettingPath, setting: Given | undefined, allowed: string): ConfigProblem {
  if (setting === undefined)
    return { name: path, from: 'default', value: show(path, defaultOf(path)), allowed };
  return { name: setting.name, from: setting.from, value: shownGiven(path, setting), allowed };
}

/** What is wrong within a table: told of the table, with the entry and the place in it. `at` begins with the entry. */
export function problemWithin(
  path: SettingPath,
  setting: Given | undefined,
  { at, allowed }: { at: PropertyKey[]; allowed: string },
): ConfigProblem {
  const [entry = ''] = at;
  // A list's entries are counted from 1, a table's go by their names.
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
    value: value === undefined ? whole.value : show(path, value),
    allowed: `${whole.allowed}; wrong is ${where}: ${allowed}`,
  };
}

/** Of a name that is none: those that were probably meant, or all that there are. */
export function noSetting(name: string): Pick<ConfigProblem, 'value' | 'allowed'> {
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

export function show(path: string, value: unknown): string {
  return isSecret(path) ? '(hidden)' : toldValue(value, SHOWN_CHARS);
}

function shownGiven(path: string, { value, text }: Given): string {
  if (isSecret(path) || text === undefined || text.length > SHOWN_CHARS) return show(path, text ?? value);
  return text.trim();
}

const SHOWN_CHARS = 200;

function isSecret(path: string): boolean {
  return secretPaths.some((secret) => secret === path);
}

/** The settings as the schema wants them: `openai.baseUrl` is a field of `openai`. */
export function nest(settings: Given[]): Record<string, unknown> {
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
