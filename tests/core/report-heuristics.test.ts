import { sectionConfidence } from '../../src/core/report/told-confidence';
import { asOfNote, newestDate } from '../../src/core/writing/as-of';

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

describe('asOfNote and newestDate', () => {
  describe('when words held that mean their own time', () => {
    it.each([
      'Currently 40 % of adults are deficient.',
      'The latest figures are higher.',
      'No trial has shown an effect so far.',
      'Prices rose this year.',
      'Today it is sold in ten countries.',
      'It was recently approved.',
      'To date, 12 trials were done; at present one is running.',
    ])('%s', (words) => {
      expect(asOfNote(words, '2021-03-04T10:00:00Z', 'The authors')).toBe(' (as of 2021-03-04)');
    });

    it.each([
      ['nothing in the words depends on the time', 'It rose by 4 % in 2019.', '2021', 'Doe'],
      ['the year is named', 'Currently it is 4 %.', '2021-03-04', 'Doe (2021)'],
      ['there is no date', 'Currently it is 4 %.', undefined, 'Doe'],
      ['the date is none', 'Currently it is 4 %.', 'n.d.', 'Doe'],
      ['it is an adverb of place in time', 'It was measured at the latest visit.', '2021', 'Doe (2021)'],
    ])('says nothing where %s', (_why, words, date, around) => {
      expect(asOfNote(words, date, around)).toBe('');
    });

    it('makes nothing active of a date', () => {
      expect(asOfNote('It is so now.', '[1](x) 2020', 'Doe')).toBe(' (as of \\[1\\](x) 2020)');
      expect(asOfNote('It is so now.', `2020 ${'x'.repeat(40)}`, 'Doe')).toBe('');
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
});
