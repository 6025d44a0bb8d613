import { acronymsOf, shareAcronyms, expandAcronyms } from '../../../src/core/assertions/acronyms';

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

describe('abbreviations that sources share', () => {
  it('lends a definition to a source without one, where all who define it agree', () => {
    const shared = shareAcronyms(
      new Map([
        ['a', new Map([['BMD', 'bone mineral density']])],
        ['b', new Map([['BMD', 'Bone mineral density']])],
        ['c', new Map()],
      ]),
    );
    expect(shared.get('c')?.get('BMD')?.toLowerCase()).toBe('bone mineral density');
  });

  it('lends nothing that means different things, and leaves each source its own', () => {
    const shared = shareAcronyms(
      new Map([
        ['a', new Map([['RT', 'resistance training']])],
        ['b', new Map([['RT', 'reaction time']])],
        ['c', new Map([['RT', 'resistance training']])],
        ['d', new Map<string, string>()],
      ]),
    );
    expect(shared.get('b')?.get('RT')).toBe('reaction time');
    expect(shared.get('d')?.has('RT')).toBe(false);
  });
});
