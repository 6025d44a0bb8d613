import { shortNames } from '../../../src/core/writing/short-names';

test('a source is called by its first author and year, and by what tells it from others', () => {
  const names = shortNames([
    { id: 'one', title: 'A', author: 'Jane Doe and John Roe', publishedAt: '2010-03-01' },
    { id: 'two', title: 'B', author: 'Doe, J.; Poe, E.; Zoe, A.', publishedAt: 'March 2010' },
    { id: 'three', title: 'C', author: 'Jane Doe' },
    { id: 'four', title: 'D', author: 'Jane Doe' },
    { id: 'five', title: 'Evening walking and sleep in older adults', publishedAt: '2012' },
    { id: 'six', title: 'Notes' },
  ]);
  expect(Object.fromEntries(names)).toEqual({
    one: 'Doe 2010a',
    two: 'Doe 2010b',
    three: 'Doe (1)',
    four: 'Doe (2)',
    five: '“Evening walking and sleep in older…” 2012',
    six: '“Notes”',
  });
});

test('more sources of one name than there are letters still have names of their own', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    id: `s${index}`,
    title: 't',
    author: 'Jane Doe',
    publishedAt: '2010',
  }));
  expect(new Set(shortNames(many).values()).size).toBe(60);
});
