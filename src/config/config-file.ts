import { readFileSync } from 'node:fs';
import type { ConfigProblem } from './config-error';
import { show, type Given } from './given';
import { environmentNames, secretPaths, settingPaths, type SettingPath } from './setting-names';
import { errorCode } from '../platform/error-code';
import { isRecord } from '../core/values/is-record';
import { nearestName } from '../core/values/nearest-name';

export const configFileName = 'colligate.config.json';

/** Other names that the file may have for a setting: document 000 calls the folder of reports `report.output_dir`. */
const fileAliases: Readonly<Record<string, SettingPath>> = { 'report.outputDir': 'outDir' };

/** The settings of a configuration file; none where there is no file. What is wrong with it joins the problems. */
export function readConfigFile(file: string, problems: ConfigProblem[]): Given[] {
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
