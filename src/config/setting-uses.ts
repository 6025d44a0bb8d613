import { toldValue } from '../core/values/told-value';
import { givenSettings, loadConfig } from './config';
import type { ConfigProblem } from './config-error';
import { defaultOf, show } from './given';
import type { Sources } from './read-given';
import { SETTING_NEEDS } from './setting-needs';
import { settingPaths, type SettingPath } from './setting-names';

/** A setting that somebody has set. */
interface SettingUse {
  path: SettingPath;
  /** The name under which it was given. */
  name: string;
  from: ConfigProblem['from'];
  /** As it was given; `(hidden)` for a secret. */
  value: string;
  /** Null where it has its effect: why nothing uses it as the others are, and how something would, as a sentence without its stop. */
  unused: { why: string; advice: string } | null;
}

/** What is set, and whether anything uses it; what is set to its default is never told to be unused. Throws as `loadConfig` does. */
export function settingUses(options: Sources = {}): SettingUse[] {
  const config = loadConfig(options);
  const given = givenSettings(options);
  const isGiven = (path: SettingPath): boolean => (given.get(path)?.value ?? null) !== null;
  return settingPaths.flatMap((path) => {
    const setting = given.get(path);
    if (setting === undefined) return [];
    const { name, from, value } = setting;
    const isDefault = toldValue(value) === toldValue(defaultOf(path) ?? null);
    const failing = isDefault ? undefined : SETTING_NEEDS[path].find(({ holds }) => !holds(config, isGiven));
    const unused = failing === undefined ? null : { why: failing.why(config), advice: failing.advice };
    return [{ path, name, from, value: show(path, value), unused }];
  });
}
