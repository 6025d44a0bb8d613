import { attributionOf, authorNames, sourceName, yearOf } from '../../../src/core/writing/attribution';

describe('authorNames', () => {
  it.each([
    ['Haykowsky Mark; Riess Kenneth; Figgures Linda et al.', ['Haykowsky', 'Riess', 'Figgures']],
    ['Jane Doe', ['Doe']],
    ['Jane Doe and John Roe', ['Doe', 'Roe']],
    ['Jane Doe, John Roe & Max van der Berg', ['Doe', 'Roe', 'van der Berg']],
    ['Doe, Jane', ['Doe']],
    ['Doe JA', ['Doe']],
    ['Satia MC; Mukim AG', ['Satia', 'Mukim']],
    ['A. D. Doe; Jane Roe', ['Doe', 'Roe']],
    ['Jane L. Doe; John Roe', ['Doe', 'Roe']],
    ['Doe Jane L.; Roe John', ['Doe', 'Roe']],
    ['World Health Organization', ['World Health Organization']],
    ['et al.', []],
  ])('reads the names of %p', (author, names) => {
    expect(authorNames(author)).toEqual(names);
  });
});

describe('attributionOf', () => {
  const source = { title: 'Exercise training', site: 'Trials', publishedAt: '2005-03-01' };

  it('names one author, two authors, and the first of many', () => {
    const told = (author: string): object => attributionOf({ ...source, author });
    expect(told('Jane Doe')).toEqual({ subject: 'Doe (2005)', plural: false });
    expect(told('Doe J; Roe J')).toEqual({ subject: 'Doe and Roe (2005)', plural: true });
    const many = { subject: 'Doe and colleagues (2005)', plural: true };
    expect(told('Doe J; Roe J; Poe E')).toEqual(many);
  });

  it('names the document where nobody is named as its author', () => {
    expect(attributionOf(source)).toEqual({ subject: '“Exercise training” (Trials, 2005)', plural: false });
    expect(attributionOf({ title: 'A note' })).toEqual({ subject: '“A note”', plural: false });
  });

  it('leaves out a year that the source does not give', () => {
    expect(attributionOf({ title: 'A note', author: 'Jane Doe' }).subject).toBe('Doe');
  });
});

describe('yearOf', () => {
  it.each([
    ['2005', '2005'],
    ['March 2005', '2005'],
    ['2005-03-01T00:00:00Z', '2005'],
    ['PMC12005', undefined],
    [undefined, undefined],
  ])('of %p is %p', (date, year) => {
    expect(yearOf(date)).toBe(year);
  });
});

describe('sourceName', () => {
  it.each([
    ['LIMA: Less Is More for Alignment', 'LIMA, 2023'],
    ['E. coli in the water of three towns', 'E. coli in the water of three towns, 2023'],
    ['Dr. Google and the trams. A survey', 'Dr. Google and the trams, 2023'],
  ])('tells “%s” by where it begins', (title, name) => {
    expect(sourceName({ title, author: undefined, site: 'Trams', publishedAt: '2023' })).toBe(name);
  });
});
