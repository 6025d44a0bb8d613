import { engineNames } from '../contracts/run/engines';
import { EngineName } from '../contracts/run/run';
import { environmentNames, neededByEngine, type SettingPath } from './setting-names';

type IsGiven = (path: SettingPath) => boolean;

/** What may be chosen instead of an engine that lacks settings, or that engine with them; null where it lacks none. */
export function lackOf(chosen: unknown, isGiven: IsGiven): string | null {
  const engine = EngineName.safeParse(chosen).data;
  const missing = engine === undefined ? [] : (neededByEngine[engine] ?? []).filter((path) => !isGiven(path));
  if (engine === undefined || missing.length === 0) return null;
  const ready = engineNames.filter((name) => neededByEngine[name] === undefined).join(', ');
  return `${ready}, or ${engine} together with ${missing.map((path) => environmentNames[path]).join(', ')}`;
}

/** The engine that was given all that it needs, and so is meant to be used; undefined where none was. */
export function configuredEngine(isGiven: IsGiven): EngineName | undefined {
  return engineNames.find((name) => neededByEngine[name]?.every(isGiven) === true);
}
