import type { AuditedStatement, AuditVerdict } from '../../src/contracts/draft';
import type { ClaimVerdict, Evidence } from '../../src/contracts/finding';
import {
  decideStatement,
  isRightCalculation,
  type LexicalFindings,
} from '../../src/evidence/decide-statement';

const QUOTE: Evidence = { sourceId: 'a', quote: 'jobs rose by 12 % in 2019', start: 10, end: 35 };

const words = (verdict: ClaimVerdict['verdict'], code: ClaimVerdict['code']): ClaimVerdict => ({
  verdict,
  code,
  reason: 'Words say so.',
  evidence: null,
  probability: 0.4,
});
const SAME: LexicalFindings = { verdict: words('supported', 'same-words'), absentNumbers: [], texts: [] };
const OPEN: LexicalFindings = { verdict: words('unchecked', 'open'), absentNumbers: [], texts: [] };
const ABSENT: LexicalFindings = {
  verdict: words('unsupported', 'number-absent'),
  absentNumbers: ['90'],
  texts: ['They rose from 40 to 50.'],
};
const UNCITED: LexicalFindings = { ...OPEN, verdict: null };

const said = (verdict: AuditVerdict, more: Partial<AuditedStatement> = {}): AuditedStatement => ({
  id: 'T1',
  verdict,
  severity: 'wrong',
  quotes: [],
  calculation: '',
  reason: '',
  ...more,
});
const quoted = (verdict: AuditVerdict, more: Partial<AuditedStatement> = {}): AuditedStatement =>
  said(verdict, { quotes: [QUOTE], ...more });

const decided = (
  byWords: LexicalFindings,
  critic?: AuditedStatement,
  sourceIds = byWords.verdict === null ? [] : ['a'],
): string => {
  const { verdict, severity } = decideStatement({ sourceIds }, critic, byWords);
  return verdict === null
    ? 'none'
    : [verdict.verdict, verdict.code, ...(severity ? [severity] : [])].join(' ');
};

describe('a critic with a located quote decides', () => {
  test.each<[AuditVerdict, string]>([
    ['supported', 'supported critic'],
    ['inference', 'inference critic'],
    ['overstated', 'partial critic wrong'],
    ['unsupported', 'unsupported critic wrong'],
    ['contradicted', 'contradicted critic wrong'],
  ])('%s', (verdict, expected) => {
    for (const byWords of [OPEN, SAME, { ...OPEN, verdict: words('contradicted', 'negation') }])
      expect(decided(byWords, quoted(verdict))).toBe(expected);
  });

  test('and its quotes are the evidence, with its reason or one of ours', () => {
    const { verdict } = decideStatement({ sourceIds: ['a'] }, quoted('supported'), OPEN);
    expect(verdict).toMatchObject({ evidence: QUOTE, quotes: [QUOTE], probability: 0.4 });
    const reasonOf = (reason: string): string | undefined =>
      decideStatement({ sourceIds: ['a'] }, quoted('overstated', { reason }), OPEN).verdict?.reason;
    expect(reasonOf('It says 11 %.')).toBe('It says 11 %.');
    expect(reasonOf('')).toMatch(/only a part/);
  });

  test('a reason without the marks of its sources is for readers, and the one with them for the writer', () => {
    const reason = '[@b] says 11 %.';
    const { verdict, fault } = decideStatement({ sourceIds: ['a'] }, quoted('overstated', { reason }), OPEN);
    expect([verdict?.reason, fault]).toEqual(['the source says 11 %.', reason]);
  });

  test('a confirmed statement names the sources that do not bear it', () => {
    const notBorneBy = (verdict: AuditVerdict, byWords = OPEN): unknown =>
      decideStatement({ sourceIds: ['a', 'b'] }, quoted(verdict, { without: ['b'] }), byWords).verdict
        ?.notBorneBy;
    expect([notBorneBy('supported'), notBorneBy('inference')]).toEqual([['b'], ['b']]);
    expect(notBorneBy('inference', ABSENT)).toEqual(['b']);
    expect(notBorneBy('overstated')).toBeUndefined();
  });

  test('a refusal of wording is told apart', () => {
    expect(decided(OPEN, quoted('overstated', { severity: 'wording' }))).toBe('partial critic wording');
  });
});

describe('a confirmation without a located quote', () => {
  test.each<AuditVerdict>(['supported', 'inference'])('%s counts only where words confirm it', (verdict) => {
    expect(decided(SAME, said(verdict))).toBe('supported same-words');
    expect(decided(OPEN, said(verdict))).toBe('unchecked open');
    expect(decided({ ...OPEN, verdict: words('contradicted', 'negation') }, said(verdict))).toBe(
      'unchecked open',
    );
  });

  test('counts for a sentence that cites nothing', () => {
    expect(decided(UNCITED, said('inference'))).toBe('inference critic');
  });
});

describe('a number that stands nowhere', () => {
  const right = { calculation: '40 + 50 = 90' };
  test('makes an inference of a confirmed statement, unless its calculation is right', () => {
    for (const verdict of ['supported', 'inference'] as const) {
      const marked = 'inference number-absent';
      expect(decided(ABSENT, quoted(verdict))).toBe(marked);
      expect(decided(ABSENT, quoted(verdict, { calculation: '40 + 60 = 100' }))).toBe(marked);
      expect(decided(ABSENT, quoted(verdict, { calculation: '45 * 2 = 90' }))).toBe(marked);
      expect(decided(ABSENT, quoted(verdict, right))).toBe(`${verdict} critic`);
    }
  });

  test('is named in the reason', () => {
    expect(decideStatement({ sourceIds: ['a'] }, quoted('inference'), ABSENT).verdict?.reason).toContain(
      '“90”',
    );
  });

  test('is for the critic to decide in a sentence that cites nothing', () => {
    const uncited = { ...ABSENT, verdict: null };
    expect(decided(uncited, said('inference'))).toBe('inference critic');
    expect(decided(uncited, said('unsupported'))).toBe('unsupported critic wrong');
  });

  test('is never confirmed by words', () => {
    const same = { ...ABSENT, verdict: words('supported', 'same-words') };
    expect(decided(same)).toBe('unchecked number-absent');
    expect(decided(same, said('supported'))).toBe('unchecked number-absent');
  });
});

describe('a refusal without a quote', () => {
  test('does not overrule the same words in what is cited', () => {
    for (const verdict of ['overstated', 'unsupported', 'contradicted'] as const)
      expect(decided(SAME, said(verdict))).toBe('supported same-words');
    expect(decided({ ...SAME, verdict: words('supported', 'critic') }, said('unsupported'))).toBe(
      'unsupported critic wrong',
    );
  });

  test('counts for all else', () => {
    expect(decided(OPEN, said('unsupported'))).toBe('unsupported critic wrong');
    expect(decided(UNCITED, said('unsupported'))).toBe('unsupported critic wrong');
  });
});

test('of a sentence that the critic says nothing of, words decide', () => {
  expect(decided(SAME)).toBe('supported same-words');
  expect(decided(OPEN)).toBe('unchecked open');
  expect(decided({ ...OPEN, verdict: words('contradicted', 'negation') })).toBe('unchecked open');
  expect(decided(ABSENT)).toBe('unchecked number-absent');
  expect(decided(UNCITED)).toBe('none');
});

const TEXTS = [
  'Airports support 954 jobs per million passengers, and 1.37 million passengers came in 2,019.',
  'Of 250,000 people 1.14 % fell ill, 0.0114 of all; costs rose from 40 to 50 euros, and 2,315 and 410 were counted.',
];

const isRight = (calculation: string, ...numbers: string[]): boolean =>
  isRightCalculation(calculation, { numbers, texts: TEXTS });

test.each([
  ['a product', '250000 * 0.0114 = 2850', ['2,850']],
  ['a percentage as a factor', '250000 * 1.14% = 2850', ['2,850']],
  ['a sum', '2,315 + 410 = 2,725', ['2,725']],
  ['a difference below zero', '40 - 50 = -10', ['10']],
  ['a share', '410 / 2315 = 0.177', ['17.7 %']],
  ['a share told as a bare number', '410 / 2315', ['18']],
  ['a growth in percent', '(50 - 40) / 40 * 100 = 25', ['25 percent']],
  ['brackets and a sign', '-(40 - 50) = 10', ['10']],
  ['signs of print', '(50 − 40) × 2 ÷ 40 ≈ 0.5', ['0.5']],
  ['a power', '10 ^ (-0.0114 * 2) = 0.949', ['94.9 %']],
  ['growth over years', '40 * 1.0114 ^ 6 = 42.8', ['42.8']],
  ['decibels', '10 * log10(0.0114) = -19.4', ['19.4']],
  ['a constant of time', '1370000 / 365 = 3753', ['3,750']],
  ['a rounded result', '954 * 1.37 = 1306.98', ['1,300']],
  ['a result in millions', '1370000 * 2 = 2740000', ['2.7 million']],
  ['steps of which one uses the result of another', '954 / 2 = 477; 477 / 12 = 39.75', ['39.8']],
  ['two results', '2315 + 410 = 2725; 410 / 2725 = 0.15', ['2,725', '15 %']],
  ['no result of its own', '2315 + 410', ['2,725']],
])('%s is right', (_what, calculation, numbers) => {
  expect(isRight(calculation, ...numbers)).toBe(true);
});

test.each([
  ['a wrong result', '250000 * 0.0114 = 3850', ['3,850']],
  ['a right one that the sentence does not give', '250000 * 0.0114 = 2850', ['2,950']],
  ['a right one of another number', '40 + 50 = 90', ['7,531']],
  ['one of two numbers', '40 + 50 = 90', ['90', '7,531']],
  ['a foreign operand', '250000 * 0.02 = 5000', ['5,000']],
  ['a foreign operand in a later step', '40 + 50 = 90; 90 * 3.3 = 297', ['297']],
  ['constants alone', '2 + 2 = 4', ['4']],
  ['a number alone', '7531', ['7,531']],
  ['a number that is its own result', '7531 = 7531', ['7,531']],
  ['nothing', '', ['5']],
  ['words', 'forty plus fifty = 90', ['90']],
  ['units', '40 euros + 50 euros = 90', ['90']],
  ['an open bracket', '(40 + 50 = 90', ['90']],
  ['a division by zero', '40 / (50 - 50) = 0', ['0']],
  ['a result a hundred times as large', '50 / 40 = 1.25', ['125 times']],
  ['one that is rounded by a third', '50 + 40 + 50 = 140', ['100']],
  ['one that is rounded to the wrong side', '410 / 2315 = 0.177', ['17 %']],
  ['code', 'process.exit(40 + 50)', ['90']],
])('%s is not', (_what, calculation, numbers) => {
  expect(isRight(calculation, ...numbers)).toBe(false);
});
