import { planBrief } from '../../../../src/activities/brief/writing/plan-brief';
import { writeBriefPart } from '../../../../src/activities/brief/writing/write-brief-part';
import { readArtifact } from '../../../../src/activities/shared/artifacts';
import { SectionDraft } from '../../../../src/contracts/report/draft';
import { createExtractiveEngine } from '../../../../src/engines/extractive/engine';
import type { Stores } from '../../../../src/stores/stores';
import type { ThreadPool } from '../../../../src/threads/pool';
import { prepareLmdb } from '../../../stores/lmdb-under-test';
import { portsOver, signal } from '../../answer/corpus-under-test';
import { createTestThreads } from '../../../support/test-threads';
import { gather, RUN } from '../gather/brief-under-test';

let threads: ThreadPool;
let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
let stores: Stores;
beforeAll(async () => (threads = await createTestThreads({ threads: 2 })));
afterAll(() => threads.close());
beforeEach(async () => {
  fixture = await prepareLmdb();
  stores = await fixture.connect();
});
afterEach(() => fixture.dispose());

it('what stands in one paragraph of a summary is told in one, whichever sources it cites', async () => {
  const extractive = createExtractiveEngine({ threads });
  const ports = { ...portsOver(stores, threads), engines: { extractive } };
  const first =
    'Walking lowered systolic blood pressure by 4 mmHg [1]. Adherence to the diaries was good in both groups [2].';
  const second =
    'Swimming raised capacity by 11 % in 40 adults [2]. Falls were as rare in older women as in older men [1].';
  const { materialRef } = await gather(ports, [
    {
      title: 'Exercise',
      summary: `${first}\n\n${second}`,
      citations: ['https://a.example/trial', 'https://b.example/diaries'],
    },
  ]);
  const { planRef } = await planBrief(ports, { run: RUN, materialRef }, signal);
  const request = { run: RUN, materialRef, planRef, partId: 'subtopic-1', drafts: [] };
  const { draftRef } = await writeBriefPart(ports, request, signal);
  const { markdown } = await readArtifact(stores.content, draftRef, SectionDraft);
  const opening = markdown.split('\n\n').map((paragraph) => paragraph.slice(0, 8));
  expect(opening).toEqual(['Walking ', 'Swimming']);
});
