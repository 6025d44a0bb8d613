import { z } from 'zod';
import { readCitedReport } from '../../src/cited-text/read-cited-report';
import { describeWithData, sharedRecords } from '../support/shared-data';
import counted from './counted-reports.json';

const FILE = 'reports/claude37-dev.jsonl';

const Record = z.object({ id: z.number(), article: z.string() });

describeWithData([FILE], 'reports in which a person counted', () => {
  it.each(counted.reports)('has as many citations and entries: report $id', ({ id, citations, entries }) => {
    const article = sharedRecords(FILE, Record).find((record) => record.id === id)?.article ?? '';
    const report = readCitedReport(article);
    const resolved = report.citations.filter(
      ({ entry }) => entry !== null && report.entries[entry]?.origin === 'list',
    );
    expect(report.citations).toHaveLength(citations);
    expect(resolved).toHaveLength(citations);
    expect(report.entries).toHaveLength(entries);
  });
});
