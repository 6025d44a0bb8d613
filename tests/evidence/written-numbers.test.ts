import { verifyClaim } from '../../src/evidence/verify-claim';

/** A claim and a source that say the same but for one figure. */
function verdictOf(claimed: string, cited: string): string {
  const sentence = (figure: string): string =>
    `In all, ${figure} were found in the treated group of the trial.`;
  const text = `The trial ran in Oslo for two years. ${sentence(cited)} Nothing else was reported.`;
  return verifyClaim(sentence(claimed), { cited: [{ sourceId: 's', text, start: 0 }], attribution: [] })
    .verdict;
}

describe('figures of claims', () => {
  it.each([
    ['1/4 of the tablets', '¼ of the tablets'],
    ['1½ tablets', '1½ tablets'],
    ['1.5 tablets', '1½ tablets'],
    ['0.25 of the tablets', '¼ of the tablets'],
    ['0.25 of the tablets', '1/4 of the tablets'],
    ['0.375 of the tablets', '⅜ of the tablets'],
    ['10³ cells', '10^3 cells'],
    ['10³ cells', '1,000 cells'],
    ['10⁻³ moles of salt', '0.001 moles of salt'],
    ['1.2 × 10⁶ cells', '1.2 million cells'],
    ['−4 degrees', '-4 degrees'],
    ['minus 4 degrees', '−4 degrees'],
    ['128±12 units', '128 ± 12 units'],
    ['128 +/- 12 units', '128 ± 12 units'],
    ['p <= 0.05 and nothing', 'p ≤ 0.05 and nothing'],
    ['5 % of the cells', '5% of the cells'],
    ['5\u202f% of the cells', '5% of the cells'],
    ['1 000 patients', '1,000 patients'],
    ['12 345 patients', '12,345 patients'],
    ['1\u00a0000 patients', '1,000 patients'],
    ['12\u2009345 patients', '12,345 patients'],
    ['1\u202f000 patients', '1,000 patients'],
    ['1’000 patients', '1,000 patients'],
  ])('“%s” is “%s”', (claimed, cited) => {
    expect(verdictOf(claimed, cited)).toBe('supported');
    expect(verdictOf(cited, claimed)).toBe('supported');
  });

  it.each([
    ['14 of the tablets', '¼ of the tablets'],
    ['1/2 of the tablets', '1/4 of the tablets'],
    ['0.5 of the tablets', '¼ of the tablets'],
    ['2½ tablets', '1½ tablets'],
    ['103 cells', '10³ cells'],
    ['10⁶ cells', '10³ cells'],
    ['1.2 × 10⁵ cells', '1.2 × 10⁶ cells'],
    ['4 degrees', '−4 degrees'],
    ['128 ± 21 units', '128 ± 12 units'],
    ['p ≤ 0.05 and nothing', 'p ≥ 0.05 and nothing'],
    ['p < 0.05 and nothing', 'p ≥ 0.05 and nothing'],
    ['7% of the cells', '5 % of the cells'],
    ['1,000 patients', '2 000 patients'],
  ])('“%s” is not “%s”', (claimed, cited) => {
    expect(verdictOf(claimed, cited)).toBe('contradicted');
    expect(verdictOf(cited, claimed)).toBe('contradicted');
  });
});

it('11/2 tablets are not 1½', () => {
  expect(verdictOf('11/2 tablets', '1½ tablets')).toBe('unsupported');
});

describe('signs in sentences of few words', () => {
  it.each([
    ['The temperature was -4 degrees in January.', 'supported'],
    ['The temperature was minus 4 degrees in January.', 'supported'],
    ['The temperature was 4 degrees in January.', 'unchecked'],
  ])('“%s” is %s by −4 degrees', (claim, verdict) => {
    const text = 'It was cold. The temperature was −4 degrees in January.';
    const read = verifyClaim(claim, { cited: [{ sourceId: 's', text, start: 0 }], attribution: [] });
    expect(read.verdict).toBe(verdict);
  });
});
