import { acronymsOf, expandAcronyms } from '../../../src/core/assertions/acronyms';

it('learns an abbreviation from its definition, and nothing from other brackets', () => {
  const found = acronymsOf(
    'We measured bone mineral density (BMD) and quality of life (QoL; see below) in Boston (USA) (Table 2).',
  );
  expect([...found]).toEqual([
    ['BMD', 'bone mineral density'],
    ['QoL', 'quality of life'],
  ]);
});

it('writes abbreviations in full, plurals too', () => {
  expect(
    expandAcronyms(
      'Two RCTs measured BMD in the USA.',
      new Map([
        ['RCT', 'randomised controlled trial'],
        ['BMD', 'bone mineral density'],
      ]),
    ),
  ).toBe('Two randomised controlled trial measured bone mineral density in the USA.');
});
