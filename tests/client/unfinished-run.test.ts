import { forAllTests } from '../support/for-all-tests';
import { openScriptedBench } from '../support/run-bench';
import { until } from '../support/until';

describe('unfinished run', () => {
  const opened = forAllTests(openScriptedBench);

  test('the page of a run that goes on has the sections that are written, with the sources that they cite', async () => {
    const hold = opened.play().hold('write-section', '"Tea"');
    const run = await opened.report('half-written');
    await hold.reached;
    const { content } = await until(
      () => opened.colligate.export('half-written', 'html'),
      ({ content: written }) => String(written).includes('1 of 2 written'),
    );
    const page = String(content);
    expect(page.match(/<section class="part"/g)).toHaveLength(1);
    expect(page).toMatch(/<a class="cite" href="#source-1">\[1\]<\/a>/);
    expect(page).toMatch(/<li id="source-1"/);
    expect(page).not.toContain('[@');
    expect(page).toMatch(/<bdi>[^<]*<\/bdi>: written<\/li>/);
    await expect(opened.colligate.export('half-written', 'csv')).rejects.toThrow(/has no report yet/);
    hold.release();
    expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
    expect(String((await opened.colligate.export('half-written', 'html')).content)).not.toContain(
      'Where the run is',
    );
  });
});
