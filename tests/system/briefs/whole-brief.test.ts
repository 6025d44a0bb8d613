import type { ColligateWorker } from '../../../src/worker';
import { openBriefBench, SUBTOPICS, type BriefBench } from './brief-bench';

let bench: BriefBench;
let worker: ColligateWorker;

beforeAll(async () => {
  bench = await openBriefBench();
  worker = await bench.work();
});
afterAll(async () => {
  await worker.drain();
  await bench.close();
});

describe('a brief without a model', () => {
  it('tells of every subtopic, with what each says and where it comes from', async () => {
    const run = await bench.start('extractive', {});
    await run.waitUntilClosed();
    const brief = await bench.briefOf('extractive');
    expect(brief.status).toBe('completed');
    expect(brief.parts.map(({ id }) => id)).toEqual([
      'summary',
      'subtopic-1',
      'subtopic-2',
      'subtopic-3',
      'conclusions',
    ]);
    for (const { title } of SUBTOPICS) expect(brief.markdown).toContain(`### ${title}`);
    expect(brief.markdown).toContain('22 minutes');
    expect(brief.citations).toHaveLength(5);
    expect(brief.judge).toMatchObject({ by: 'measures', version: 1 });
  });
});
