import fc from 'fast-check';
import { passageWindows, type WindowSource } from '../../../src/core/passages/passage-windows';

const quality = { level: 'general' as const, reason: 'test' };

function source(sourceId: string, content: string | null, summary = 'A summary.'): WindowSource {
  return { sourceId, title: sourceId, quality, content, summary };
}

function lengthOf(window: { passages: { text: string }[] } | undefined): number {
  return (window?.passages ?? []).reduce((sum, passage) => sum + passage.text.length, 0);
}

const FILLER = 'The weather was described at length and nothing was measured on any of these days. ';

describe('passage windows', () => {
  it('gives a source that fits as a whole', () => {
    const [window] = passageWindows({
      wanted: 'anything',
      sources: [source('a', 'First.\n\nSecond.')],
      limits: { maxTotalChars: 10_000, maxCharsPerSource: 5_000, minCharsPerSource: 1_000 },
    });
    expect(window?.summaryOnly).toBe(false);
    expect(window?.passages.map((passage) => passage.text)).toEqual(['First.', 'Second.']);
  });

  it('takes the passages on what is wanted where results stand, not those at the front', () => {
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

  it('shares the total: what short sources leave goes to long ones', () => {
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

  it('falls back to the summary beyond the total, with its sentences at their place in the content', () => {
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

  it('keeps offsets and limits whatever the text is', () => {
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
