import { expectSound } from './material-invariants';
import { gathered } from './subtopics-under-test';

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';
const ROSE = 'Vitamin D supplementation significantly increased bone mineral density in postmenopausal women';
const DID_NOT = 'Vitamin D supplementation did not increase bone mineral density in postmenopausal women';

it('lets both sides stand with their citations, across subtopics', () => {
  const summaries = [`${ROSE} [1][3].`, `Calcium was given to all of them [1]. ${DID_NOT} [2].`];
  const material = gathered(summaries.map((summary) => ({ summary, citations: [A, B, C] })));
  const { conflicts, sources } = material;
  const urlOf = new Map(sources.map(({ id, url }) => [id, url]));
  expect(conflicts).toHaveLength(1);
  const sides = conflicts[0]?.viewpoints.map(({ citations }) => citations.map((id) => urlOf.get(id)));
  expect(sides).toEqual([[A, C], [B]]);
  expect(conflicts[0]?.findingIds).toEqual(['subtopic-1-finding-1', 'subtopic-2-finding-2']);
  expect(conflicts[0]?.resolution).toBe('present_both');
  expect(material.subtopics.map(({ findings }) => findings.at(-1)?.confidence)).toEqual([0.6, 0.6]);
  expectSound(material, (id) => summaries[Number(id.at(-1)) - 1] ?? '');
});

it('knows of a conflict within one subtopic', () => {
  const { conflicts } = gathered([{ summary: `${ROSE} [1].\n\n${DID_NOT} [2].`, citations: [A, B] }]);
  expect(conflicts).toHaveLength(1);
});

it('takes what one source says here and there for no conflict', () => {
  const { conflicts } = gathered([{ summary: `${ROSE} [1].\n\n${DID_NOT} [1].`, citations: [A, B] }]);
  expect(conflicts).toEqual([]);
  const shared = gathered([{ summary: `${ROSE} [1].\n\n${DID_NOT} [1][2].`, citations: [A, B] }]);
  expect(shared.conflicts).toEqual([]);
});

it('favours a side by its sources, not by how often they are cited', () => {
  const { conflicts } = gathered([
    { summary: `${ROSE} [1].\n\n${DID_NOT} [2].`, citations: ['https://www.who.int/bone', B] },
  ]);
  expect(conflicts[0]).toMatchObject({
    resolution: 'favor_viewpoint_1',
    reason: expect.stringMatching(/Only the first view rests on a source rated authoritative\.$/),
  });
});
