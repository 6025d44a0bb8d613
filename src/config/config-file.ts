import { lstatSync } from 'node:fs';
import type { ConfigProblem } from './config-error';
import { noSetting, show, type Given } from './given';
import { environmentNames, secretPaths, settingPaths, type SettingPath } from './setting-names';
import { givenJson } from '../core/values/given-json';
import { isRecord } from '../core/values/is-record';
import type { FileBounds } from '../platform/given-file';
import { readGivenTextSync } from '../platform/given-text';

export const configFileName = 'colligate.config.json';

const CONFIG_BOUNDS: FileBounds = { maxBytes: 1024 * 1024 };

/** Other names that the file may have for a setting: document 000 calls the folder of reports `report.output_dir`. */
const fileAliases: Readonly<Record<string, SettingPath>> = { 'report.outputDir': 'outDir' };

/** The settings of a configuration file; none where there is no file. What is wrong with it joins the problems. */
export function readConfigFile(file: string, problems: ConfigProblem[]): Given[] {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return [];
  const wrong = (value: string, allowed: string): Given[] => {
    problems.push({ name: configFileName, from: 'file', value, allowed });
    return [];
  };
  const text = readGivenTextSync(file, CONFIG_BOUNDS);
  if (!text.ok) return wrong(`unreadable: ${text.message}`, 'a readable file, or none');
  const json = givenJson(text.text);
  if (!json.ok) return wrong(json.message, 'a JSON object');
  const content = json.value;
  if (!isRecord(content)) return wrong(show('', content), 'a JSON object');
  const given = readObject(content, '', problems);
  for (const [alias, path] of Object.entries(fileAliases)) {
    const own = given.find(({ name }) => name === path);
    const other = given.find(({ name }) => name === alias);
    if (own === undefined || other === undefined || own.value === other.value) continue;
    const allowed = `one of the two names: ${path} is ${show(path, own.value)} in the same file`;
    problems.push({ name: alias, from: 'file', value: show(path, other.value), allowed });
  }
  return given;
}

function readObject(content: Record<string, unknown>, prefix: string, problems: ConfigProblem[]): Given[] {
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
      problems.push({ name, from: 'file', value: show(name, value), allowed: 'a JSON object' });
      return [];
    }
    problems.push({ name, from: 'file', ...noSetting(name) });
    return [];
  });
}
