import { charsInWindow, CHARS_AROUND_SOURCE } from '../budget/call-estimates';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import type { WindowLimits } from './passage-windows';

/** Passages stand in a prompt under their headings, which take so much more. */
const HEADINGS_SHARE = 0.06;

/**
 * How much of `sources` sources a call reads, in UTF-16 units: what the settings allow and what the model's window takes
 * less a quarter, the smaller of them. Where each source would get less than its minimum the minimum holds, and the step
 * asks in several calls. `besides` is what the prompt has besides the sources; `contextTokens` is null without a model.
 */
export function readingLimits(
  settings: SynthesisSettings,
  sources: number,
  { contextTokens, besides }: { contextTokens: number | null; besides: number },
): WindowLimits {
  const { maxTotalChars, maxCharsPerSource } = settings;
  const minCharsPerSource = Math.min(settings.minCharsPerSource, maxCharsPerSource);
  const room =
    contextTokens === null
      ? Infinity
      : Math.floor(
          (charsInWindow(contextTokens) - besides - sources * CHARS_AROUND_SOURCE) * (1 - HEADINGS_SHARE),
        );
  return {
    maxTotalChars: Math.min(maxTotalChars, Math.max(room, sources * minCharsPerSource)),
    maxCharsPerSource,
    minCharsPerSource,
  };
}
