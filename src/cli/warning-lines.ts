import { type LimitNames, SETTING_NAMES } from '../contracts/budget';
import type { Warning } from '../contracts/run';
import { formatCount, groupedDigits } from '../lib/strings';
import { safeExcerpt } from './terminal';

const MAX_SHOWN = 20;
const MAX_LINE_CHARS = 300;

interface WarningContext {
  /** Number of sources that were read; null if unknown. */
  sources: number | null;
  names?: LimitNames;
}

/** At most 20 skipped sources and their count, then at most 20 other warnings. */
export function warningLines(warnings: readonly Warning[], { sources, names }: WarningContext): string[] {
  const skipped = warnings.filter(({ code }) => code === 'source-skipped').map(({ message }) => message);
  const others = warnings.filter(({ code }) => code !== 'source-skipped');
  return [
    ...skipped.slice(0, MAX_SHOWN).map((message) => `Skipped ${safeExcerpt(message, MAX_LINE_CHARS)}`),
    ...(skipped.length > MAX_SHOWN ? [`… and ${groupedDigits(skippedCount(skipped) - MAX_SHOWN)} more`] : []),
    ...(skipped.length === 0 ? [] : [countLine(skipped, sources)]),
    ...others.slice(0, MAX_SHOWN).map((warning) => warningLine(warning, names)),
    ...(others.length > MAX_SHOWN
      ? [`… and ${formatCount(others.length - MAX_SHOWN, 'more warning')}.`]
      : []),
  ];
}

function countLine(skipped: readonly string[], sources: number | null): string {
  const count = skippedCount(skipped);
  const told = skipped.every(isFile)
    ? formatCount(count, 'file')
    : `${groupedDigits(count)} that cannot be read`;
  return sources === null ? `Skipped ${told}.` : `Read ${formatCount(sources, 'source')}; skipped ${told}.`;
}

/** The last warning can stand for several records. */
function skippedCount(skipped: readonly string[]): number {
  return skipped.reduce((sum, message) => sum + Number(/^(\d+) more records /.exec(message)?.[1] ?? 1), 0);
}

/** No address, and no line of a file. */
function isFile(message: string): boolean {
  return !/^https?:\/\/|:\d+: |^\d+ more records /.test(message);
}

function warningLine({ code, message }: Warning, names: LimitNames = SETTING_NAMES): string {
  const told =
    code === 'limit-short'
      ? message
          .replace(SETTING_NAMES.maxTokens, names.maxTokens)
          .replace(SETTING_NAMES.maxCostUsd, names.maxCostUsd)
      : message;
  return `Warning: ${safeExcerpt(told, MAX_LINE_CHARS)}`;
}
