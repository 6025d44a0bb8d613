import fc from 'fast-check';
import { charsInWindow, summariesPerCall } from '../../src/contracts/budget';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import { additionalSources, termHolders } from '../../src/text/lexical-relevance';
import { passageWindows, readingLimits, type WindowSource } from '../../src/text/passage-windows';
import { digestChars, fitsWhole, readingGroups } from '../../src/text/reading-groups';

const settings = SynthesisSettings.parse({});

describe('furtherSources', () => {
  test('prefers the source ranked higher after pass 2 where both share as much with the claim', () => {
    const statements = ['Walking lowers blood pressure'];
    const ids = ['a', 'b', 'c'];
    const summaries = ids.map(() => 'Walking and blood pressure.');
    const request = {
      statements,
      ids,
      holders: [termHolders({ statements, summaries: summaries.slice(0, 1), first: 0 })],
      last: { summaries: summaries.slice(1), first: 1 },
      except: new Set<string>(),
      count: 2,
    };
    expect(additionalSources(request)).toEqual(['a', 'b']);
    expect(additionalSources({ ...request, standing: new Map([['c', 0.9]]) })).toEqual(['c', 'a']);
  });
});

describe('passageWindows', () => {
  const quality = { level: 'general' as const, reason: 'test' };

  function source(sourceId: string, content: string | null, summary = 'A summary.'): WindowSource {
    return { sourceId, title: sourceId, quality, content, summary };
  }

  function lengthOf(window: { passages: { text: string }[] } | undefined): number {
    return (window?.passages ?? []).reduce((sum, passage) => sum + passage.text.length, 0);
  }

  const FILLER = 'The weather was described at length and nothing was measured on any of these days. ';

  it('returns a source that fits as a whole', () => {
    const [window] = passageWindows({
      wanted: 'anything',
      sources: [source('a', 'First.\n\nSecond.')],
      limits: { maxTotalChars: 10_000, maxCharsPerSource: 5_000, minCharsPerSource: 1_000 },
    });
    expect(window?.summaryOnly).toBe(false);
    expect(window?.passages.map((passage) => passage.text)).toEqual(['First.', 'Second.']);
  });

  it('marks a source whose text is a summary', () => {
    const [window] = passageWindows({
      wanted: 'anything',
      sources: [{ ...source('a', 'A summary.'), hasSummaryAlone: true }],
      limits: { maxTotalChars: 10_000, maxCharsPerSource: 5_000, minCharsPerSource: 1_000 },
    });
    expect(window).toMatchObject({ summaryOnly: true, passages: [{ start: 0, text: 'A summary.' }] });
  });

  it('takes the passages on the topic from the results, not from the front', () => {
    const content = [
      FILLER.repeat(30),
      '# Methods\n\nVitamin D was given for 12 weeks to all.',
      '# Results\n\nVitamin D raised bone density by 3 percent.',
      FILLER.repeat(30),
    ].join('\n\n');
    const [window] = passageWindows({
      wanted: 'vitamin D and bone density',
      sources: [source('a', content)],
      limits: { maxTotalChars: 10_000, maxCharsPerSource: 50, minCharsPerSource: 50 },
    });
    expect(window?.passages.map((passage) => passage.text)).toEqual([
      'Vitamin D raised bone density by 3 percent.',
    ]);
    expect(window?.passages[0]?.headings).toEqual(['Results']);
  });

  it('gives long sources the room that short ones leave', () => {
    const long = FILLER.repeat(100);
    const windows = passageWindows({
      wanted: 'weather',
      sources: [source('short', 'Brief.'), source('long-1', long), source('long-2', long)],
      limits: { maxTotalChars: 6_006, maxCharsPerSource: 5_000, minCharsPerSource: 1_000 },
    });
    expect(lengthOf(windows[0])).toBe(6);
    expect(lengthOf(windows[1])).toBeLessThanOrEqual(3_000);
    expect(lengthOf(windows[1])).toBeGreaterThan(1_500);
    expect(lengthOf(windows[2])).toBe(lengthOf(windows[1]));
  });

  it('falls back to the summary beyond the total, with offsets into the content', () => {
    const windows = passageWindows({
      wanted: 'tea',
      sources: [
        source('first', 'Tea is drunk.'),
        source('second', 'It rained. Tea helps. It stopped.', 'Tea helps. Said otherwise.'),
        source('lost', null, 'Only this is left.'),
      ],
      limits: { maxTotalChars: 1_000, maxCharsPerSource: 1_000, minCharsPerSource: 1_000 },
    });
    expect(windows.map((window) => window.summaryOnly)).toEqual([false, true, true]);
    expect(windows[1]?.passages).toEqual([{ start: 11, end: 21, text: 'Tea helps.', headings: [] }]);
    expect(windows[2]?.passages.map((passage) => passage.text)).toEqual(['Only this is left.']);
  });

  it('keeps offsets and limits for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.lorem({ maxCount: 40 }), { maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 50, max: 3_000 }),
        (texts, total) => {
          const sources = texts.map((paragraphs, index) =>
            source(`s${index}`, `x ${paragraphs.join('.\n\n')}`),
          );
          const windows = passageWindows({
            wanted: 'lorem ipsum dolor',
            sources,
            limits: { maxTotalChars: total, maxCharsPerSource: 800, minCharsPerSource: 50 },
          });
          const read = windows.filter((window) => !window.summaryOnly);
          expect(read.reduce((sum, window) => sum + lengthOf(window), 0)).toBeLessThanOrEqual(total);
          windows.forEach((window, index) => {
            for (const { start, end, text } of window.passages) {
              expect(sources[index]?.content?.slice(start, end)).toBe(text);
            }
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('readingGroups', () => {
  const sourcesOf = (chars: readonly number[]): { id: string; contentChars: number }[] =>
    chars.map((contentChars, at) => ({ id: `source-${at}`, contentChars }));

  test('puts every source in one group, in order, for any sizes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400_000), { maxLength: 60 }),
        fc.option(fc.integer({ min: 1_000, max: 200_000 })),
        (chars, contextTokens) => {
          const sources = sourcesOf(chars);
          const groups = readingGroups(sources, { settings, contextTokens });
          expect(groups.flat()).toEqual(sources);
          expect(groups.every((group) => group.length > 0)).toBe(true);
        },
      ),
    );
  });

  test('keeps most groups where one source is removed', () => {
    const sources = sourcesOf(Array.from({ length: 200 }, () => 30_000));
    const groups = readingGroups(sources, { settings, contextTokens: null }).map((group) =>
      group.map(({ id }) => id).join(' '),
    );
    const fewer = readingGroups(
      sources.filter((_, at) => at !== 20),
      { settings, contextTokens: null },
    ).map((group) => group.map(({ id }) => id).join(' '));
    const kept = fewer.filter((group) => groups.includes(group)).length;
    expect(groups.length).toBeGreaterThan(20);
    expect(kept).toBeGreaterThan(0.7 * groups.length);
  });

  test('digestChars reads all of a short text and a part of a long one', () => {
    expect([1_000, 9_000, 30_000, 400_000].map((chars) => digestChars(chars, settings))).toEqual([
      1_000, 5_000, 8_000, 8_000,
    ]);
  });

  test('digestChars reads more of a long text where there are few sources', () => {
    const few = { ...settings, pass2FullContentCount: 3 };
    expect([9_000, 30_000, 400_000].map((chars) => digestChars(chars, few))).toEqual([5_000, 8_400, 100_000]);
  });

  test('fitsWhole is true for texts that take half of the window, none longer than the settings allow', () => {
    const fits = (chars: readonly number[], contextTokens: number | null = 128_000): boolean =>
      fitsWhole(sourcesOf(chars), { settings, contextTokens });
    expect(fits(Array.from({ length: 40 }, () => 4_000))).toBe(true);
    expect(fits(Array.from({ length: 60 }, () => 4_000))).toBe(false);
    expect(
      fits(
        Array.from({ length: 60 }, () => 4_000),
        null,
      ),
    ).toBe(true);
    expect(fits([900, 100_000])).toBe(true);
    expect(fits([900, 100_001])).toBe(false);
  });
});

describe('readingLimits', () => {
  it('returns the settings where no model limits them', () => {
    expect(readingLimits(settings, 50, { contextTokens: null, besides: 0 })).toEqual({
      maxTotalChars: 400_000,
      maxCharsPerSource: 100_000,
      minCharsPerSource: 5_000,
    });
  });

  it('returns three quarters of the window of the model where that is less', () => {
    const { maxTotalChars } = readingLimits(settings, 50, { contextTokens: 128_000, besides: 0 });
    expect(maxTotalChars).toBeLessThan(400_000);
    // Three quarters of the window at four characters a token, less the margin, the template, what names the sources, and
    // the headings of their passages.
    expect(maxTotalChars).toBe(Math.floor((charsInWindow(128_000) - 50 * 400) * 0.94));
    expect(readingLimits(settings, 50, { contextTokens: 1_000_000, besides: 0 }).maxTotalChars).toBe(400_000);
  });

  it('gives each source its minimum, also with a small window', () => {
    const limits = readingLimits(settings, 50, { contextTokens: 16_000, besides: 0 });
    expect(limits.maxTotalChars).toBe(50 * 5_000);
  });

  it('leaves room for the rest of the prompt', () => {
    const without = readingLimits(settings, 10, { contextTokens: 64_000, besides: 0 }).maxTotalChars;
    const beside = readingLimits(settings, 10, { contextTokens: 64_000, besides: 40_000 }).maxTotalChars;
    expect(without - beside).toBe(40_000 * 0.94);
  });

  it('summariesPerCall fills three quarters of the window', () => {
    expect(summariesPerCall(128_000)).toBe(Math.floor(charsInWindow(128_000) / 1_400));
    expect(summariesPerCall(500)).toBe(1);
  });
});
