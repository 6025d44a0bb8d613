import fc from 'fast-check';
import { z } from 'zod';
import { GivenOutline } from '../../src/contracts/outline';
import { OutageSettings } from '../../src/contracts/run';
import { RequestLimits } from '../../src/contracts/run-input';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import { SourceRecord } from '../../src/contracts/source';
import { GivenSubtopic } from '../../src/contracts/start';
import { formatValue } from '../../src/lib/json';
import { schemaProblemTexts } from '../../src/lib/validation';

describe('shapeProblems', () => {
  const LONG = `A title ${'x'.repeat(400)}`;

  test.each([
    [
      'a title that is too long',
      ['outline', GivenOutline, { sections: [{ title: 'Fine' }, { title: LONG }] }],
      [
        `outline.sections[1].title is "${LONG.slice(0, 80)}…" (408 characters); allowed: a text of 1 to 120 characters`,
      ],
    ],
    [
      'a list that is too long',
      ['outline', GivenOutline, { sections: Array(21).fill({ title: 'x' }) }],
      ['outline.sections has 21 items: an outline has 20 sections at most'],
    ],
    [
      'numbers that are none',
      ['budget', RequestLimits, { maxTokens: Number.NaN, maxCostUsd: Infinity, maxTimeMs: -1 }],
      [
        'budget.maxTokens is NaN; allowed: a whole number above 0 and up to 1,000,000,000,000',
        'budget.maxCostUsd is Infinity; allowed: a number above 0 and up to 1,000,000,000',
        'budget.maxTimeMs is -1; allowed: a whole number above 0 and up to 315,360,000,000',
      ],
    ],
    [
      'a choice, and what is not there',
      ['outages', OutageSettings, { afterwards: 'wait' }],
      [
        'outages.patienceMs is missing; allowed: a whole number from 0 to 604,800,000',
        'outages.afterwards is "wait"; allowed: "park" or "fail"',
      ],
    ],
    [
      'what is no object',
      ['budget', RequestLimits, null],
      ['budget is null; allowed: an object with maxTokens, maxCostUsd, maxTimeMs'],
    ],
    [
      'a field that there is not',
      ['x', z.strictObject({ a: z.string().optional() }), { b: 1 }],
      ['x has no field called "b"; allowed: an object with a'],
    ],
  ] as const)('%s', (_name, shaped, problems) => {
    expect(schemaProblemTexts([shaped])).toEqual(problems);
  });

  test('never uses the words of zod, for any value', () => {
    const shapes = [
      GivenOutline,
      GivenSubtopic,
      RequestLimits,
      OutageSettings,
      SourceRecord,
      SynthesisSettings,
    ];
    for (const schema of shapes) {
      const fields = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, fc.anything()]));
      fc.assert(
        fc.property(fc.oneof(fc.anything(), fc.record(fields)), (value) => {
          for (const problem of schemaProblemTexts([['given', schema, value]])) {
            expect(problem).not.toMatch(/Invalid|Too (?:big|small)|expected |no words|zod/i);
            expect(problem.length).toBeLessThan(1_000);
          }
        }),
        { seed: 9, numRuns: 200 },
      );
    }
  });
});

describe('toldValue', () => {
  test.each([
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NaN, 'NaN'],
    [10n ** 20n, '100000000000000000000'],
    [1e300, '1e+300'],
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    ['\u001b[31mred\u009b0m\u200b', '"\\u001b[31mred\\u009b0m\\u200b"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ maxTokens: Number.POSITIVE_INFINITY }, '{"maxTokens":"Infinity"}'],
  ])('formats %p as %s', (value, told) => {
    expect(formatValue(value)).toBe(told);
  });

  test('cuts long values and gives the length of a text', () => {
    expect(formatValue('x'.repeat(5_000), 10)).toBe('"xxxxxxxxxx…" (5,000 characters)');
    expect(formatValue(Array(1_000).fill(1), 10)).toBe('[1,1,1,1,1…');
  });

  test('formats a circular object', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(formatValue(circle)).toBe('an object that JSON has no form for');
  });

  test('returns one short line without control characters for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true }), (value) => {
        const told = formatValue(value, 40);
        expect(told).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
        expect(told.length).toBeLessThan(6 * 60);
      }),
      { seed: 23, numRuns: 1_000 },
    );
  });
});
