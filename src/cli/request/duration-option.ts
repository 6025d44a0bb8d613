import { durationMs, durationText, LONGEST_DURATION_MS } from '../../core/values/durations';
import { toldValue } from '../../core/values/told-value';

/** The milliseconds of a flag that is a duration, undefined where it is absent; what is wrong is added to `problems`. */
export function durationOption(
  flag: string,
  text: string | undefined,
  problems: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const ms = durationMs(text.trim());
  if (ms !== null && ms <= LONGEST_DURATION_MS) return ms;
  problems.push(
    `${flag} is ${toldValue(text)}; allowed: a duration of up to ${durationText(LONGEST_DURATION_MS)}, such as 30s, 15m, 6h, 1d, 2w or 1h30m.`,
  );
  return undefined;
}
