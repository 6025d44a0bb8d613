import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { charsInWindow, summariesPerCall } from '../../../src/core/budget/call-estimates';
import { readingLimits } from '../../../src/core/passages/reading-limits';

const settings = SynthesisSettings.parse({});

describe('how much a section reads', () => {
  it('is what the settings allow where no model limits it', () => {
    expect(readingLimits(settings, 50, { contextTokens: null, besides: 0 })).toEqual({
      maxTotalChars: 400_000,
      maxCharsPerSource: 30_000,
      minCharsPerSource: 5_000,
    });
  });

  it('is the model’s window less a quarter where that is smaller', () => {
    const { maxTotalChars } = readingLimits(settings, 50, { contextTokens: 128_000, besides: 0 });
    expect(maxTotalChars).toBeLessThan(400_000);
    // Three quarters of the window at four characters a token, less the margin, the template, what names the sources, and
    // the headings of their passages.
    expect(maxTotalChars).toBe(Math.floor((charsInWindow(128_000) - 50 * 400) * 0.94));
    expect(readingLimits(settings, 50, { contextTokens: 1_000_000, besides: 0 }).maxTotalChars).toBe(400_000);
  });

  it('never gives a source less than its minimum: a small window is filled several times', () => {
    const limits = readingLimits(settings, 50, { contextTokens: 16_000, besides: 0 });
    expect(limits.maxTotalChars).toBe(50 * 5_000);
  });

  it('leaves room for what the prompt has besides', () => {
    const without = readingLimits(settings, 10, { contextTokens: 64_000, besides: 0 }).maxTotalChars;
    const beside = readingLimits(settings, 10, { contextTokens: 64_000, besides: 40_000 }).maxTotalChars;
    expect(without - beside).toBe(40_000 * 0.94);
  });

  it('lets pass 1 read as many summaries in a call as the window less a quarter takes', () => {
    expect(summariesPerCall(128_000)).toBe(Math.floor(charsInWindow(128_000) / 1_400));
    expect(summariesPerCall(500)).toBe(1);
  });
});
