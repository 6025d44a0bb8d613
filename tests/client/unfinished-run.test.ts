import { forAllTests } from '../support/for-all-tests';
import { openScriptedBench } from '../support/run-bench';
import { until } from '../support/until';

describe('unfinished run', () => {
  const opened = forAllTests(openScriptedBench);

  test('a run that goes on has the sections that are written, with the sources that they cite', async () => {
    const hold = opened.play().hold('write-section', '"Tea"');
    const run = await opened.report('half-written');
    await hold.reached;
    const { sections, sources } = await until(
      () => opened.colligate.soFar('half-written'),
      (soFar) => soFar.sections.some(({ state }) => state === 'written'),
    );
    const texts = sections.flatMap(({ markdown }) => markdown ?? []);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('[1]');
    expect(texts[0]).not.toContain('[@');
    expect(sources[0]).toMatchObject({ n: 1, timesCited: 1 });
    for (const format of ['html', 'csv'] as const)
      await expect(opened.colligate.export('half-written', format)).rejects.toThrow(/has no report yet/);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  });
});
