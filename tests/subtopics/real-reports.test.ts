import { z } from 'zod';
import { describeWithData, sharedRecords } from '../support/shared-data';
import { expectSound } from './material-invariants';
import { gathered } from './subtopics-under-test';

const REPORTS = 'reports/claude37-dev.jsonl';
const AT_ONCE = 10;

const RealReport = z.object({ prompt: z.string(), article: z.string() });

describeWithData([REPORTS], 'reports of a research assistant as subtopics', () => {
  let reports: z.infer<typeof RealReport>[];

  beforeAll(() => {
    reports = sharedRecords(REPORTS, RealReport);
  });

  it.each([0, 30])('make sound material, those from %i on', (from) => {
    const some = reports.slice(from, from + AT_ONCE);
    const material = gathered(
      some.map(({ prompt, article }) => ({ title: prompt.slice(0, 100), summary: article })),
    );
    expectSound(material, (id) => some[Number(id.replace(/\D+/g, '')) - 1]?.article ?? '');
    // Each cites by its own list, whatever form that has.
    expect(material.subtopics.filter(({ findings }) => findings.length === 0)).toEqual([]);
    expect(material.warnings.filter(({ code }) => code === 'citation-unknown')).toEqual([]);
    const linked = material.sources.filter(({ url }) => url !== null);
    expect(linked.length).toBeGreaterThan(material.sources.length * 0.9);
  });
});
