import { MINUTES, type Unit } from '../core/shapes/units';
import type { SettingPath } from './setting-names';

/** The settings that have a flag of their own on some command; all of them are given with `--set`. */
export const ownFlags: Partial<Record<SettingPath, string>> = {
  engine: '--engine',
  outDir: '--out',
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

/** Flags that are given in another unit than their setting. */
const flagUnits: Partial<Record<SettingPath, Unit>> = {
  'budget.maxTimeMs': MINUTES,
  'answers.patienceMs': MINUTES,
  'outages.patienceMs': MINUTES,
};

/** The unit of a flag's text; null where it is the setting's. */
export function flagUnit(path: SettingPath): Unit | null {
  return flagUnits[path] ?? null;
}

/** The flag that the command line gives a setting. */
export function flagName(path: SettingPath): string {
  return ownFlags[path] ?? `--set ${path}`;
}
