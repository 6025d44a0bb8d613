import { sectionConfidence } from '../../src/core/report/told-confidence';
import { newestDate } from '../../src/core/writing/attribution';

describe('sectionConfidence', () => {
  const line = (confidences: readonly number[], validated = true): string =>
    sectionConfidence(confidences.map((confidence) => ({ confidence, validated })));

  test('one level is told by itself', () => {
    expect(line([0.75, 0.7, 0.8])).toBe('**Confidence:** Medium.');
  });

  test('what most claims have comes first, of two that as many have the lower', () => {
    expect(line([0.75, 0.95, 0.8])).toBe(
      '**Confidence:** Medium; High where two or more sources say the same.',
    );
    expect(line([0.95, 0.5])).toBe('**Confidence:** Low; High where two or more sources say the same.');
  });

  test('says where not all is cross-checked, and nothing of a section without claims', () => {
    expect(line([0.7], false)).toBe('**Confidence:** Medium; not all of it is cross-checked.');
    expect(line([])).toBe('');
  });
});

describe('the newest of dates', () => {
  it.each([
    [['2011', '2019', '2018-12-31'], '2019'],
    [['2019', '2019-02'], '2019-02'],
    [['2019-02-03', '2019-02-10', '2019-02-04'], '2019-02-10'],
    [['March 2005', '2004-12-31'], 'March 2005'],
    [['n.d.', '2001'], '2001'],
    [[undefined, '1/2'], '1/2'],
    [['2010', 'in 2010'], '2010'],
  ])('of %j is %s', (dates, newest) => {
    expect(newestDate(dates)).toBe(newest);
  });

  it('is none where there is none', () => {
    expect(newestDate([undefined, 'undated'])).toBeUndefined();
  });
});
