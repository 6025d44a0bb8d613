import type { Finding, StudyContext } from '../../../src/core/contracts/finding';
import { claimSentence } from '../../../src/core/writing/claim-sentence';
import { sectionOpening } from '../../../src/core/writing/section-opening';

const TITLE = 'Green tea polyphenols for albuminuria in diabetic nephropathy: a randomised clinical trial';
const SOURCES = new Map([
  [
    'tea',
    { title: TITLE, author: 'Borges Cynthia; Doe Jo; Roe Al', site: 'Tea Reports', publishedAt: '2016' },
  ],
]);

function finding(claim: string, context: Partial<StudyContext> = {}): Finding {
  return {
    id: 'finding-1',
    sectionId: 'section-1',
    claim,
    citations: ['tea'],
    evidence: [{ sourceId: 'tea', quote: claim, start: 0, end: claim.length }],
    confidence: 0.75,
    contexts: [{ sourceId: 'tea', ...context }],
  };
}

const sentence = (claim: string, context?: Partial<StudyContext>): string =>
  claimSentence(finding(claim, context), SOURCES, { turn: 0, introduced: false, contrast: false });

test('tells the title of the study where the quote does not say what was studied, without its design', () => {
  expect(sentence('The intervention group improved by 12 %.')).toContain(
    ', in “Green tea polyphenols for albuminuria in diabetic nephropathy”, report: “The intervention group',
  );
});

test('leaves the title out where the quote says it itself', () => {
  const text = sentence('Green tea polyphenols reduced albuminuria by 41 % in diabetic nephropathy.');
  expect(text).not.toContain('in “Green tea');
});

test('says what abbreviations stand for, where the source does', () => {
  const abbreviations = [{ short: 'GTP', long: 'green tea polyphenols' }];
  expect(sentence('GTP reduced albuminuria by 41 %.', { abbreviations })).toContain(
    '(GTP: green tea polyphenols)',
  );
});

test('leaves out how long a study lasted where the quote tells of times itself', () => {
  const context = { design: 'randomised trial', duration: '12 weeks' };
  expect(sentence('Albuminuria fell by 41 %.', context)).toContain('over 12 weeks');
  expect(sentence('After six months albuminuria fell by 41 %.', context)).not.toContain('12 weeks');
});

test('says that a finding could not be cross-checked', () => {
  const claim = finding('Green tea polyphenols reduced albuminuria by 41 % in diabetic nephropathy.');
  const text = claimSentence({ ...claim, unvalidated: true }, SOURCES, {
    turn: 0,
    introduced: false,
    contrast: false,
  });
  expect(text).toMatch(/\[@tea\] \(Medium confidence, not cross-checked\)\.$/);
});

test('says of what date a quote is that means its own time, where the attribution names no year', () => {
  const claim = 'Green tea is currently drunk by 41 % of patients with diabetic nephropathy.';
  const told = (publishedAt: string): string =>
    claimSentence(
      finding(claim),
      new Map([['tea', { title: TITLE, author: 'Borges Cynthia', publishedAt }]]),
      {
        turn: 0,
        introduced: false,
        contrast: false,
      },
    );
  expect(told("Spring '16")).toContain("” [@tea] (as of Spring '16) (Medium confidence).");
  expect(told('2016-05-01')).toContain('Cynthia (2016), in');
  expect(told('2016-05-01')).not.toContain('as of');
});

test('a section opens with what its findings amount to, where there are some', () => {
  const findings = [
    finding('Green tea reduced albuminuria.', { design: 'randomised trial' }),
    finding('Green tea increased weight.'),
    finding('There was no difference in blood pressure.'),
    { ...finding('Green tea did not change HbA1c but improved lipids.'), citations: ['coffee'] },
  ];
  expect(sectionOpening('Green tea', findings.slice(0, 3))).toBeNull();
  expect(sectionOpening('Green tea', findings)).toBe(
    'On green tea, 2 sources give 4 findings; 2 of the findings tell of no effect or no difference, 1 of those beside an effect on something else.',
  );
});
