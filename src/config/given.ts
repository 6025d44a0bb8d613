import { allowedValues } from './allowed';
import type { ConfigProblem } from './config-error';
import { ConfigSchema } from './schema';
import { secretPaths, type SettingPath } from './setting-names';
import { isRecord } from '../core/values/is-record';

/** A setting as somebody gave it, before it is checked. */
export interface Given {
  path: SettingPath;
  name: string;
  from: ConfigProblem['from'];
  value: unknown;
}

/** What is wrong with a setting; of one that nobody gave, with its default. */
export function problemOf(path: SettingPath, setting: Given | undefined, allowed: string): ConfigProblem {
  if (setting === undefined)
    return { name: path, from: 'default', value: show(path, defaultOf(path)), allowed };
  return { name: setting.name, from: setting.from, value: show(path, setting.value), allowed };
}

/** What is wrong within a table: told of the table, with the entry and the place in it. `at` begins with the entry. */
export function problemWithin(
  path: SettingPath,
  setting: Given | undefined,
  { at, message }: { at: PropertyKey[]; message: string },
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
    allowed: `${whole.allowed}; wrong is ${where}: ${message}`,
  };
}

function defaultOf(path: SettingPath): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), ConfigSchema.parse({}));
}

/** A value as a message may have it. */
export function show(path: string, value: unknown): string {
  if (secretPaths.some((secret) => secret === path)) return '(hidden)';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
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
