import { readArtifact } from '../../../../src/activities/shared/artifacts';
import { BriefMaterial } from '../../../../src/contracts/brief/brief-material';
import type { GivenSubtopic } from '../../../../src/contracts/brief/subtopic';
import { gather, RUN } from './brief-under-test';
import { storesUnderTest } from '../../stores-under-test';

const under = storesUnderTest();

it('keeps summaries and texts under the run, and what is made of them', async () => {
  const text = 'In the trial walking lowered systolic blood pressure by 4.5 mmHg in 120 adults.';
  const given: GivenSubtopic[] = [
    {
      title: 'Walking',
      summary: 'Walking lowered systolic blood pressure by 4.5 mmHg [1]. Diaries showed good adherence [2].',
      citations: ['https://a.example/trial', 'https://b.example/diaries'],
      sources: [
        { url: 'https://c.example/', title: 'An address alone' },
        { url: 'http://www.a.example/trial/', title: 'The walking trial', content: text },
      ],
    },
  ];
  const { content } = under.stores;
  const { materialRef, ...gathered } = await gather(under.ports, given);
  expect(gathered).toEqual({
    sources: 3,
    inFull: 1,
    statements: 2,
    conflicts: 0,
    warnings: [],
    subtopics: [{ id: 'subtopic-1', words: 12 }],
  });
  const { sources, subtopics } = await readArtifact(content, materialRef, BriefMaterial);
  expect(sources[0]).toMatchObject({ n: 1, title: 'The walking trial', contentChars: text.length });
  expect(await content.retrieve(sources[0]?.contentRef ?? '')).toBe(text);
  expect(await content.retrieve(subtopics[0]?.summaryRef ?? '')).toBe(given[0]?.summary);
});

it('tells warnings and, where no text was given, conflicts, once however often it is tried', async () => {
  const sides = ['significantly increased', 'did not increase'];
  const given = sides.map((effect, at) => ({
    title: `View ${at + 1}`,
    summary: `Vitamin D supplementation ${effect} bone mineral density in postmenopausal women [1][9].`,
    citations: [`https://${at}.example/`],
  }));
  const ports = under.ports;
  const gathered = await gather(ports, given);
  expect(await gather(ports, given)).toEqual(gathered);
  expect(gathered).toMatchObject({ inFull: 0, conflicts: 1 });
  expect(gathered.warnings.map(({ message }) => message)).toEqual([
    'subtopic-1 (View 1): its summary cites 9, which is none of its sources; the mark is left out.',
    'subtopic-2 (View 2): its summary cites 9, which is none of its sources; the mark is left out.',
  ]);
  const events = await under.stores.events.read(RUN.runId);
  expect(events.map(({ type }) => type)).toEqual(['warning', 'warning', 'conflict-detected']);
});
