import { MINUTES, type Unit } from '../core/shapes/units';
import type { NamedSettingPath } from './setting-names';

/** Flags whose name is not the setting's own last word. */
const flagNames: Partial<Record<NamedSettingPath, string>> = {
  outDir: '--out',
  'budget.maxCostUsd': '--max-cost',
  'budget.maxTimeMs': '--max-time',
  'outages.patienceMs': '--patience',
  'synthesis.targetReportLength': '--words',
  'synthesis.citationStyle': '--citations',
  'brief.unsupportedClaims': '--unsupported',
  'judge.enabled': '--no-judge',
  'synthesis.unsupportedClaims': '--unsupported',
};

/** Flags that are given in another unit than their setting. */
const flagUnits: Partial<Record<NamedSettingPath, Unit>> = {
  'budget.maxTimeMs': MINUTES,
  'outages.patienceMs': MINUTES,
};

/** The unit of a flag's text; null where it is the setting's. */
export function flagUnit(path: NamedSettingPath): Unit | null {
  return flagUnits[path] ?? null;
}

/** The flag that the command line gives a setting. */
export function flagName(path: NamedSettingPath): string {
  const lastWord = path.slice(path.lastIndexOf('.') + 1);
  return flagNames[path] ?? `--${lastWord.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
