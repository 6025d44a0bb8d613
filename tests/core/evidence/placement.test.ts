import type { Finding } from '../../../src/contracts/report/finding';
import { placeFindings, type PlacedSection } from '../../../src/core/evidence/placement';
import { finding, quoteOf } from '../report/report-fixture';

/** A finding of the source of its name. */
function found(id: string, sectionId: string, claim: string): Finding {
  return finding(id, sectionId, [quoteOf(id, claim)]);
}
const BONES = found('b', 'section-1', 'Tea raised bone density by 2%.');
const LIKED = 'Tea was liked by most people.';

function section(id: string, title: string, relevance: [string, number][] = []): PlacedSection {
  return { id, title, description: title, subsections: [], relevance: new Map(relevance) };
}

const SECTIONS = [
  section('section-1', 'Tea and sleep', [['d', 0.9]]),
  section('section-2', 'Tea and bone density'),
  section('section-3', 'Tea and mood', [['d', 0.3]]),
];
const filler = ['x', 'y', 'z'].map((id) => found(id, 'section-1', `Tea made sleep longer ${id}.`));

function placed(findings: Finding[]): Record<string, string> {
  return Object.fromEntries(
    placeFindings(findings, SECTIONS, new Map()).map((item) => [item.id, item.sectionId]),
  );
}

describe('placing findings', () => {
  it('moves a finding to the section that it is about', () => {
    expect(placed([...filler, BONES]).b).toBe('section-2');
  });

  it('leaves one where it is when no other section fits clearly better', () => {
    expect(placed([...filler, found('c', 'section-1', LIKED)]).c).toBe('section-1');
  });

  it('goes by what the outline found of the source where words do not tell', () => {
    expect(placed([found('d', 'section-3', LIKED), ...more('section-3')]).d).toBe('section-1');
  });

  it('leaves no section with fewer than three sources', () => {
    expect(placed([...filler.slice(0, 2), BONES]).b).toBe('section-1');
  });

  it('keeps the order, and loses nothing', () => {
    const all = [...filler, BONES, ...more('section-3')];
    expect(placeFindings(all, SECTIONS, new Map()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });
});

function more(sectionId: string): Finding[] {
  return ['p', 'q', 'r'].map((id) => found(id, sectionId, `Tea lifted the mood ${id}.`));
}
