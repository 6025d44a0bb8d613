import { seenText, withoutAddresses } from '../../../src/core/text/links';

const PLANCK = 'Planck gives 67.4 km/s/Mpc ([Planck 2018](https://arxiv.org/abs/1807.06209)).';

test.each([
  [PLANCK, 'Planck gives 67.4 km/s/Mpc (Planck 2018).'],
  ['It [opened](https://a.example/b_(c)) in [1932](http://b.example).', 'It opened in [1932].'],
  [
    'It was built [3](https://a.example), then sold [^4](www.b.example).',
    'It was built [3], then sold [^4].',
  ],
  ['See https://a.example/1, and [page](x.md).', 'See https://a.example/1, and [page](x.md).'],
  [
    'No link [1], f(x) [a](b c) and [not closed](https://a.example',
    'No link [1], f(x) [a](b c) and [not closed](https://a.example',
  ],
])('a reader of links sees their words, and the number of a citation in its brackets: %s', (text, seen) => {
  expect(seenText(text)).toBe(seen);
});

test('what is read for what it says has no address, and every word at its place', () => {
  const text = `${PLANCK} More at https://a.example/7.`;
  const read = withoutAddresses(text);
  expect(read).toHaveLength(text.length);
  expect(read).not.toMatch(/1807|arxiv|a\.example|\[/);
  for (const word of ['67.4 km/s/Mpc', 'Planck 2018', 'More at'])
    expect(read.indexOf(word)).toBe(text.indexOf(word));
});
