import { compareWithRow } from '../../src/evidence/table-rows';
import { verifyClaim } from '../../src/evidence/verify-claim';

describe('compareWithRow', () => {
  const ROW = 'Country: Norway; Women 2020: 14; Men 2020: 9.';

  it.each([
    'There were 14 women in Norway in 2020.',
    'In 2020, Norway had 9 men.',
    'Norway had 14 women and 9 men in 2020.',
    'In Norway in 2020, women were 14 and men 9.',
  ])('finds the cells of “%s”', (claim) => {
    expect(compareWithRow(claim, ROW)).toEqual({ says: 'same' });
  });

  it.each([
    ['There were 9 women in Norway in 2020.', '9', '14', 'Women 2020'],
    ['In 2020, 9 women in Norway were affected.', '9', '14', 'Women 2020'],
    ['Norway had 9 women and 14 men in 2020.', '9', '14', 'Women 2020'],
    ['In Norway, 14 men were counted in 2020.', '14', '9', 'Men 2020'],
  ])('finds the wrong cell of “%s”', (claim, written, right, header) => {
    const reason = `It says “${written}” where what it cites has “${right}” under “${header}”.`;
    expect(compareWithRow(claim, ROW)).toEqual({ says: 'exchanged', reason });
  });

  it.each([
    ['another row', 'There were 14 women in Sweden in 2020.', ROW],
    ['another column', 'There were 14 children in Norway in 2020.', ROW],
    ['a claim that says more', 'In 2020, 14 women in Norway were affected.', ROW],
    ['a denial', 'There were not 14 women in Norway in 2020.', ROW],
    [
      'another year of a column of years',
      'There were 12 women in Norway in 2020.',
      'Country: Norway; Year: 2019; Women: 12.',
    ],
    ['a sentence', 'There were 14 women in Norway.', 'In Norway, 14 women took part; 9 men did not.'],
  ])('decides nothing on %s', (_case, claim, row) => {
    expect(compareWithRow(claim, row)).toBeNull();
  });

  it('decides claims on a table', () => {
    const text = `${ROW}\n\nCountry: Sweden; Women 2020: 21; Men 2020: 17.`;
    const verdictOf = (claim: string): string =>
      verifyClaim(claim, { cited: [{ sourceId: 's', text, start: 0 }], attribution: [] }).verdict;
    expect(verdictOf('There were 14 women in Norway in 2020.')).toBe('supported');
    expect(verdictOf('There were 9 women in Norway in 2020.')).toBe('contradicted');
    expect(verdictOf('There were 21 women in Norway in 2020.')).toBe('contradicted');
    expect(verdictOf('There were 21 women in Sweden in 2020.')).toBe('supported');
  });
});
