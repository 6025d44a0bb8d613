import fc from 'fast-check';
import { createVerifier } from '../../src/verification/create-verifier';
import { verifyClaim } from '../../src/verification/verify-claim';

const RUNS = { seed: 13, numRuns: 300 };
const WORDS =
  'river harvest engine court tariff glucose archive signal copper widow verdict buffer meadow vaccine ledger bridge';
const VERBS = ['raised', 'carried', 'shortened', 'recorded', 'replaced', 'slowed'];

const word = fc.constantFrom(...WORDS.split(' '));
const amount = fc.oneof(
  fc.integer({ min: 2, max: 99_999 }).map((value) => ({ value, written: value.toLocaleString('en-US') })),
  fc.integer({ min: 11, max: 999 }).map((tenths) => ({ value: tenths / 10, written: `${tenths / 10}` })),
);
const unit = fc.constantFrom('%', ' mg', ' weeks', ' people', '', ' dollars', ' km');

/** `The copper bridge carried the ledger by 12.4 mg in the meadow.` with the number apart. */
const told = fc
  .record({
    words: fc.tuple(word, word, word, word),
    verb: fc.constantFrom(...VERBS),
    amount,
    unit,
    tail: fc.constantFrom('', ', while the signal held', ' (p = 0.03)', ' but not in the north'),
  })
  .map(({ words: [a, b, c, d], verb, amount: { value, written }, unit: of, tail }) => ({
    value,
    before: `The ${a} ${b} ${verb} the ${c} of the ${d} by `,
    written,
    after: `${of}${tail}.`,
  }));

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '糖尿病患者的血糖下降了12%。研究持续了两年。',
    '👩‍⚕️ 12 🚑 (3–5) [1, 2]',
    '| a | 1 |\n|---|---|\n| b | 2.5 |',
  ),
  fc
    .array(
      fc.constantFrom(
        '12',
        '%',
        '–',
        '[3]',
        'not',
        'only',
        'IL-6',
        'and',
        '\n',
        '.',
        '≈',
        '^-3',
        'two thirds',
      ),
    )
    .map((parts) => parts.join(' ')),
);

test('a sentence of a passage is supported, word for word', () => {
  fc.assert(
    fc.property(fc.array(told, { minLength: 1, maxLength: 6 }), fc.nat(), (sentences, pick) => {
      const texts = sentences.map(({ before, written, after }) => `${before}${written}${after}`);
      const claim = texts[pick % texts.length] ?? '';
      const text = texts.join(' ');
      const cited = [{ sourceId: 'a', text, start: 40 }];
      const { verdict, evidence } = verifyClaim(claim, { cited, attribution: [] });
      expect(verdict).toBe('supported');
      expect(text.slice((evidence?.start ?? 0) - 40, (evidence?.end ?? 0) - 40)).toBe(evidence?.quote);
    }),
    RUNS,
  );
});

test('with its number changed beyond rounding, to one that stands nowhere, it is never supported', () => {
  const some = fc.array(told, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(some, fc.nat(), amount, (sentences, pick, other) => {
      const texts = sentences.map(({ before, written, after }) => `${before}${written}${after}`);
      const one = sentences[pick % sentences.length];
      if (one === undefined) return;
      fc.pre(sentences.every(({ value }) => Math.abs(value - other.value) > 1));
      const claim = `${one.before}${other.written}${one.after}`;
      const cited = [{ sourceId: 'a', text: texts.join(' '), start: 0 }];
      expect(verifyClaim(claim, { cited, attribution: [] }).verdict).not.toBe('supported');
    }),
  );
});

test('whatever the texts are, a verdict is given, and evidence stands where it says', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyText, { maxLength: 4 }), (claim, contents) => {
      const sources = contents.map((content, at) => ({
        sourceId: `s${at}`,
        content,
        attribution: [content],
      }));
      const told = createVerifier({ sources }).verify(claim, ['s0', 's2', 'unknown']);
      expect(told.reason).not.toBe('');
      expect(told.probability ?? 0).toBeGreaterThanOrEqual(0);
      expect(told.probability ?? 0).toBeLessThanOrEqual(1);
      const content = sources.find(({ sourceId }) => sourceId === told.evidence?.sourceId)?.content;
      if (told.evidence !== null)
        expect(content?.slice(told.evidence.start, told.evidence.end)).toBe(told.evidence.quote);
    }),
    RUNS,
  );
});

test.each([
  ['a long sentence', 'the bridge carried 12 carts over the river '.repeat(2_400)],
  ['a long table', '| 12.5 | bridge | 3 % |\n'.repeat(4_300)],
  ['a text without spaces', '血糖下降了12%，'.repeat(11_000)],
])('%s of 100 kB is read, as a claim and as a source', (_what, text) => {
  const cited = [{ sourceId: 'a', text, start: 0 }];
  expect(verifyClaim(text, { cited, attribution: [] }).reason).not.toBe('');
  const { verdict } = verifyClaim('The bridge carried 13 carts.', { cited, attribution: [] });
  expect(verdict).not.toBe('supported');
});
