import { criticInput, criticVerdicts, type UnresolvedSentence } from '../../src/activities/audit-statements';
import type { AuditedStatement } from '../../src/contracts/draft';
import type { ClaimVerdict, Evidence } from '../../src/contracts/finding';

const at = (sourceId: string, quote: string, start = 0): Evidence => ({
  sourceId,
  quote,
  start,
  end: start + quote.length,
});
const JOBS = at('a', 'Jobs rose by 12 % in 2019. Wages did not.');
const WAGES = at('a', 'Wages did not.', 27);
const PRICES = at('b', 'Prices rose as well.', 90);
const SOURCES = [
  { id: 'b', title: 'Prices' },
  { id: 'a', title: 'Jobs', author: 'Doe' },
];

const byWords = (changes: Partial<ClaimVerdict> = {}): ClaimVerdict => ({
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell.',
  evidence: WAGES,
  probability: 0.4,
  ...changes,
});
const ABSENT = byWords({
  verdict: 'unsupported',
  code: 'number-absent',
  reason: '“90” stands nowhere in what it cites.',
});

const open = (changes: Partial<UnresolvedSentence> = {}): UnresolvedSentence => ({
  plain: 'Jobs and prices rose.',
  evidence: [PRICES, JOBS],
  byWords: byWords(),
  ...changes,
});

test('a source is shown once for all sentences, with its stretches in order', () => {
  const input = criticInput([open({ evidence: [PRICES, WAGES] }), open({ evidence: [JOBS] })], SOURCES, '');
  const shown = input.sources.map(({ sourceId, title, author = null, passages }) => [
    [sourceId, title, author],
    passages.map(({ text, start }) => [text, start]),
  ]);
  expect(shown).toEqual([
    [['b', 'Prices', null], [[PRICES.quote, 90]]],
    [['a', 'Jobs', 'Doe'], [[JOBS.quote, 0]]],
  ]);
});

test('a sentence cites the sources of its stretches, and no mark of its own counts', () => {
  const { statements } = criticInput([open({ plain: 'Jobs rose [@c].' }), open({ byWords: ABSENT })], [], '');
  expect(statements).toMatchObject([
    { id: '0', text: 'Jobs rose . [@b; @a]', sourceIds: ['b', 'a'], isAsked: true },
    { id: '1', noticed: ABSENT.reason },
  ]);
  expect(statements[0]).not.toHaveProperty('noticed');
});

describe('the verdict on a sentence', () => {
  const decided = (
    said: Partial<AuditedStatement> | null,
    changes: Partial<UnresolvedSentence> = {},
  ): ClaimVerdict | undefined => {
    const sentences = [open(changes)];
    const form: AuditedStatement = {
      id: '0',
      verdict: 'supported',
      severity: 'wrong',
      quotes: [],
      calculation: '',
      reason: '',
    };
    const verdicts = said === null ? [] : [{ ...form, ...said }];
    return criticVerdicts(sentences, criticInput(sentences, SOURCES, ''), { verdicts, notes: [] })[0];
  };

  test('is that of words where the critic says nothing, or confirms without a quote', () => {
    for (const words of [byWords(), ABSENT, byWords({ verdict: 'contradicted', code: 'negation' })])
      for (const said of [null, {}, { verdict: 'inference' } as const])
        expect(decided(said, { byWords: words })).toEqual(words);
  });

  test('is the critic’s with a quote, and names the sources that do not bear it', () => {
    expect(decided({ quotes: [PRICES], without: ['a'] })).toMatchObject({
      verdict: 'supported',
      code: 'critic',
      evidence: PRICES,
      notBorneBy: ['a'],
    });
  });

  test('is an inference where its number stands nowhere in what is cited', () => {
    const sentence = { plain: 'Jobs rose to 90.', byWords: ABSENT };
    const told = { verdict: 'inference', code: 'number-absent', reason: expect.stringContaining('“90”') };
    expect(decided({ verdict: 'inference', quotes: [JOBS] }, sentence)).toMatchObject(told);
    // Held against a further source that has the number, it is borne.
    const further = at('b', 'Jobs rose to 90.');
    expect(decided({ quotes: [further] }, { ...sentence, evidence: [JOBS, further] })).toMatchObject({
      verdict: 'supported',
      code: 'critic',
    });
  });

  test('is a rejection with the place that words looked at, where the critic quotes none', () => {
    expect(decided({ verdict: 'overstated', reason: 'Wages did not.' })).toMatchObject({
      verdict: 'partial',
      code: 'critic',
      reason: 'Wages did not.',
      evidence: WAGES,
    });
  });
});
