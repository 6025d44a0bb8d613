import { assembleReport } from '../../src/report/assemble-report';
import { fileName } from '../../src/report/report-markdown';
import { completeRun, withSources } from './report-fixture';

describe('the list of sources', () => {
  it('names the file of a source, beside its address', () => {
    const run = withSources(completeRun(), (source) => ({ ...source, file: `${source.id}.docx` }));
    const { markdown, report } = assembleReport(run);
    expect(markdown).toContain(
      '“On delta.” Journal of Walks, 2011. `delta.docx`. <https://example.org/delta>.',
    );
    expect(report.citations.map(({ file }) => file)).toContain('delta.docx');
  });

  it('invents no year for a source without a date', () => {
    const run = withSources(completeRun(), ({ publishedAt: _date, ...source }) => source);
    expect(assembleReport(run).markdown).toContain(
      '“On delta.” Journal of Walks. <https://example.org/delta>.',
    );
  });

  it('keeps the name of a file in one line of code', () => {
    expect(fileName('a `b`\n[c](d).md')).toBe('`a b [c](d).md`');
  });
});

describe('all sources of the run', () => {
  it('stand in the report, with those that it does not cite', () => {
    const run = completeRun();
    const sources = (run.catalogue?.sources ?? []).map(({ id, title, url }) => ({ id, title, url }));
    const warnings = [{ code: 'source-skipped', message: 'scan.pdf: its 3 pages have no text' }];
    const { report } = assembleReport({ ...run, given: { sources, warnings } });
    const listed = report.sourcesRead?.sources.map(({ title, file, cited }) => [title ?? file, cited]);
    expect(listed).toContainEqual(['On delta', true]);
    expect(listed).toContainEqual(['On unused', false]);
    expect(listed).toContainEqual(['scan.pdf', false]);
    expect(assembleReport(run).report.sourcesRead).toBeUndefined();
  });
});
