import { gatherBrief } from '../../../../src/activities/brief/gather/gather-brief';
import { readArtifact, storeArtifact } from '../../../../src/activities/shared/artifacts';
import { BriefMaterial } from '../../../../src/contracts/brief/brief-material';
import type { GivenSubtopic } from '../../../../src/contracts/brief/subtopic';
import { BriefSettings } from '../../../../src/contracts/brief/brief-settings';
import { JudgeSettings } from '../../../../src/contracts/judge/rubric';
import type { BriefFacts } from '../../../../src/activities/brief/brief-facts';
import type { Stores } from '../../../../src/stores/stores';
import type { ThreadPool } from '../../../../src/threads/pool';
import { prepareLmdb } from '../../../stores/lmdb-under-test';
import { portsOver, signal, twoThreads } from '../../answer/corpus-under-test';

const RUN: BriefFacts = {
  runId: 'brief',
  question: 'What does exercise do to blood pressure?',
  engine: 'extractive',
  models: null,
  stepVersions: {},
  brief: BriefSettings.parse({}),
  judge: JudgeSettings.parse({}),
};

let threads: ThreadPool;
let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
let stores: Stores;
beforeAll(() => (threads = twoThreads()));
afterAll(() => threads.close());
beforeEach(async () => {
  fixture = await prepareLmdb();
  stores = await fixture.connect();
});
afterEach(() => fixture.dispose());

it('keeps summaries and texts under the run, and what is made of them', async () => {
  const text = 'In the trial walking lowered systolic blood pressure by 4.5 mmHg in 120 adults.';
  const given: GivenSubtopic[] = [
    {
      title: 'Walking',
      summary: 'Walking lowered systolic blood pressure by 4.5 mmHg [1]. Diaries showed good adherence [2].',
      citations: ['https://a.example/trial', 'https://b.example/diaries'],
      sources: [{ url: 'http://www.a.example/trial/', title: 'The walking trial', content: text }],
    },
  ];
  const { content } = stores;
  const subtopicsRef = await storeArtifact(content, RUN.runId, given);
  const asOf = '2026-01-31T12:00:00Z';
  const gathered = await gatherBrief(portsOver(stores, threads), { run: RUN, subtopicsRef, asOf }, signal);
  expect(gathered).toMatchObject({ sources: 2, inFull: 1, statements: 2, conflicts: 0, warnings: [] });
  const { sources, subtopics } = await readArtifact(content, gathered.materialRef, BriefMaterial);
  expect(sources[0]).toMatchObject({ n: 1, title: 'The walking trial', contentChars: text.length });
  expect(await content.retrieve(sources[0]?.contentRef ?? '')).toBe(text);
  expect(await content.retrieve(subtopics[0]?.summaryRef ?? '')).toBe(given[0]?.summary);
  expect(gathered.subtopics).toEqual([{ id: 'subtopic-1', words: 12 }]);
});
