import { newestDate } from '../../src/core/writing/attribution';

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
