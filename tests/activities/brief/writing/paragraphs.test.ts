import { planBrief } from '../../../../src/activities/brief/writing/plan-brief';
import { writeBriefPart } from '../../../../src/activities/brief/writing/write-brief-part';
import { readArtifact } from '../../../../src/activities/shared/artifacts';
import { SectionDraft } from '../../../../src/contracts/report/draft';
import { createExtractiveEngine } from '../../../../src/engines/extractive/engine';
import { signal } from '../../answer/corpus-under-test';
import { gather, RUN } from '../gather/brief-under-test';
import { storesUnderTest } from '../../stores-under-test';

const under = storesUnderTest();

it('what stands in one paragraph of a summary is told in one, whichever sources it cites', async () => {
  const extractive = createExtractiveEngine({ threads: under.threads });
  const ports = { ...under.ports, engines: { extractive } };
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
  const { markdown } = await readArtifact(under.stores.content, draftRef, SectionDraft);
  const opening = markdown.split('\n\n').map((paragraph) => paragraph.slice(0, 8));
  expect(opening).toEqual(['Walking ', 'Swimming']);
});
