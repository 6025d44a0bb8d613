import { findGaps } from '../../src/reading/reconcile/find-gaps';
import { conflictOf, findingOf } from '../support/findings';

describe('findGaps', () => {
  const section = { id: 'section-1', title: 'Trams' };
  const [one, other] = [findingOf('one', 'Noise fell by 4 dB.', 'a'), findingOf('other', 'Noise rose.', 'b')];

  test('a section without a finding, and a conflict of which no side is favoured, are gaps', () => {
    const conflict = conflictOf([one, other], { topic: 'noise' });
    const gaps = findGaps({ sections: [{ section, findings: [] }], conflicts: [conflict] });
    expect(gaps.map(({ sectionId }) => sectionId)).toEqual(['section-1', undefined]);
    const favoured = { ...conflict, resolution: 'favor_viewpoint_1' };
    expect(findGaps({ sections: [{ section, findings: [one] }], conflicts: [favoured] })).toEqual([]);
  });

  test('sources with none of the question’s words are told by number and name', () => {
    const titles = Array.from({ length: 12 }, (_, at) => `Notes ${at + 1}`);
    const [gap] = findGaps({ sections: [], conflicts: [], silent: { titles, of: 20 } });
    expect(gap?.reason).toContain('12 of the 20 sources: “Notes 1”, “Notes 2”');
    expect(gap?.reason).toMatch(/“Notes 10”, and 2 more\.$/);
    expect(findGaps({ sections: [], conflicts: [], silent: { titles: [], of: 20 } })).toEqual([]);
  });
});
