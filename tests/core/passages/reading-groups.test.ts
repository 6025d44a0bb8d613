import fc from 'fast-check';
import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import { digestChars } from '../../../src/core/passages/digest-chars';
import { fitsWhole, readingGroups } from '../../../src/core/passages/reading-groups';

const settings = SynthesisSettings.parse({});
const sourcesOf = (chars: readonly number[]): { id: string; contentChars: number }[] =>
  chars.map((contentChars, at) => ({ id: `source-${at}`, contentChars }));

test('every source is in one group, in its order, whatever their sizes', () => {
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

test('a source that goes changes its own group, and those behind it only as far as the next end that both have', () => {
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

test('of a short text all is read, of a long one a part, within the settings', () => {
  expect([1_000, 9_000, 30_000, 400_000].map((chars) => digestChars(chars, settings))).toEqual([
    1_000, 5_000, 8_000, 8_000,
  ]);
});

test('the fewer sources there are, the more is read of a long one', () => {
  const few = { ...settings, pass2FullContentCount: 3 };
  expect([9_000, 30_000, 400_000].map((chars) => digestChars(chars, few))).toEqual([5_000, 8_400, 30_000]);
});

test('what is short and fits into one group fits whole; a long text is read in part, and many fill several groups', () => {
  const fits = (chars: readonly number[]): boolean =>
    fitsWhole(sourcesOf(chars), { settings, contextTokens: null });
  expect(fits(Array.from({ length: 16 }, () => 900))).toBe(true);
  expect(fits([900, 90_000])).toBe(false);
  expect(fits(Array.from({ length: 60 }, () => 4_000))).toBe(false);
});
