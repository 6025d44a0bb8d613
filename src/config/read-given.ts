import { join } from 'node:path';
import { settingType } from './allowed';
import type { ConfigProblem } from './config-error';
import { configFileName, readConfigFile } from './config-file';
import { flagName, flagUnit } from './flag-name';
import type { Given } from './given';
import {
  environmentNames,
  type NamedSettingPath,
  namedSettingPaths,
  type SettingPath,
} from './setting-names';
import { numberGiven, type Unit } from '../core/shapes/units';
import { nearestName } from '../core/values/nearest-name';

/** Values of flags, by the setting that they set: a text is in the flag's own unit, a number in the setting's; an absent flag is undefined. */
export type ConfigFlags = Partial<Record<NamedSettingPath, string | number | boolean | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings come from: the folder of the file, the environment, flags. */
export interface Sources {
  cwd?: string;
  env?: Environment;
  flags?: ConfigFlags;
}

/** What is set, before it is checked: flags over environment over file. What is no setting joins the problems. */
export function readGiven(
  { cwd, env, flags }: Required<Sources>,
  problems: ConfigProblem[],
): ReadonlyMap<SettingPath, Given> {
  const given = new Map<SettingPath, Given>();
  for (const setting of [
    ...readConfigFile(join(cwd, configFileName), problems),
    ...readEnvironment(env, problems),
    ...readFlags(flags),
  ]) {
    given.set(setting.path, setting);
  }
  return given;
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
  return namedSettingPaths.flatMap((path) => {
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
  const number = type === 'number' ? numberGiven(text, unit) : null;
  if (number !== null) return { value: number, text, unit };
  if (type === 'boolean' && /^(true|1)$/i.test(text)) return { value: true };
  if (type === 'boolean' && /^(false|0)$/i.test(text)) return { value: false };
  return { value: text, unit };
}
