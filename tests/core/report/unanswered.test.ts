import type { Outline } from '../../../src/contracts/report/outline';
import { Report } from '../../../src/contracts/report/report';
import { diffReports } from '../../../src/diff/diff-reports';
import { outlineMarkdown } from '../../../src/client/pass-results/outline-markdown';
import { sourceLabels } from '../../../src/client/pass-results/source-labels';
import { assembleReport } from '../../../src/core/report/assemble-report';
import type { ReportParts } from '../../../src/core/report/report-parts';
import { completeRun } from './report-fixture';
import { digestReport, reportExcerpt } from '../../../src/cli/results/deliver-report';

const OUTLINE: Outline = {
  overallTheme: 'No sentence of the sources is likely to answer the question.',
  sections: [],
  unanswered: { nearest: ['gamma', 'alpha'] },
};

function unanswered(changes: Partial<ReportParts> = {}): ReportParts {
  return {
    ...completeRun(),
    status: 'partial',
    question: 'Does juggling help?',
    outline: OUTLINE,
    noAnswer: true,
    findings: [],
    conflicts: [],
    gaps: [],
    drafts: [],
    frame: null,
    readInFull: [],
    warnings: [
      { code: 'no-answer', message: 'No sentence of the sources is likely to answer “Does juggling help?”.' },
    ],
    ...changes,
  };
}

describe('a report where nothing answers', () => {
  const { report, markdown } = assembleReport(unanswered());

  it('says so in one sentence, names the nearest sources, and has no sections', () => {
    expect(Report.parse(report)).toEqual(report);
    expect(markdown.slice(0, markdown.indexOf('## Sources'))).toBe(
      `# Does juggling help?

## Executive Summary

No sentence of the sources is likely to answer “Does juggling help?”. Nearest are: “On gamma” [1], “On alpha” [2].

## Limits and open questions

### Information Gaps

- **Does juggling help?** Nothing that could be quoted on it was found in the 6 sources.

`,
    );
    expect(report).toMatchObject({
      status: 'partial',
      title: 'Does juggling help?',
      overallTheme: 'No sentence of the sources is likely to answer “Does juggling help?”.',
      sections: [],
      claims: [],
      gaps: ['Does juggling help?'],
      warnings: [{ code: 'no-answer' }],
    });
  });

  it('cites and lists the nearest sources, and is not told how many were wanted', () => {
    expect(report.citations.map(({ n, sourceId }) => [n, sourceId])).toEqual([
      [1, 'gamma'],
      [2, 'alpha'],
    ]);
    expect(markdown).toMatch(/- \[1\] .*“On gamma\.”/);
    expect(report.citationReport).toMatchObject({ meetsMinimum: false, recommendations: [], bySection: [] });
    expect(markdown).not.toMatch(/wanted|minimum/);
    expect(report.sources).toMatchObject({ total: 6, inFull: 0, bySummary: 0, unused: 5, duplicates: 1 });
  });

  it('says the same of a run whose sections were read and gave nothing: no empty chapter', () => {
    const { outline } = completeRun();
    const read = assembleReport(unanswered({ outline }));
    expect(read.report.sections).toEqual([]);
    // The most relevant to any section, ties by id.
    expect(read.markdown).toContain(
      'No sentence of the sources is likely to answer “Does juggling help?”. Nearest are: “On alpha” [1], “On beta” [2], “On delta” [3], “On gamma” [4].',
    );
    expect(read.markdown).not.toMatch(/wanted|Nothing was found for this section/);
  });

  it('names at most five sources, shown as they are', () => {
    const sources = Array.from({ length: 7 }, (_, at) => ({
      ...(completeRun().catalogue?.sources[0] ?? { id: '' }),
      id: `s${at}`,
      title: `*Note* ${at}`,
    })) as NonNullable<ReportParts['catalogue']>['sources'];
    const { report: long, markdown: text } = assembleReport(
      unanswered({
        catalogue: { sources, counts: { sentences: 0, holders: {} }, merged: [] },
        outline: { ...OUTLINE, unanswered: { nearest: sources.map(({ id }) => id) } },
      }),
    );
    expect(long.citations).toHaveLength(5);
    expect(text).toContain('Nearest are: “\\*Note\\* 0” [1], ');
  });

  it('does not say it of a run that ended before anything was read', () => {
    const { markdown: cut } = assembleReport({
      ...unanswered({ outline: completeRun().outline }),
      status: 'cancelled',
      noAnswer: undefined,
      endedEarly: 'The run was cancelled.',
    });
    expect(cut).not.toContain('No sentence of the sources is likely');
    expect(cut).toContain('\n\nThe run was cancelled.\n\n');
  });
});

describe('what goes with such a report', () => {
  const { report } = assembleReport(unanswered());

  it('is told by the command line in its sentence', () => {
    const digest = digestReport(report);
    expect(digest).toMatchObject({ sections: [], sourcesCited: 2 });
    expect(reportExcerpt(digest).at(-1)).toBe(
      'No sentence of the sources is likely to answer “Does juggling help?”.',
    );
  });

  it('is an outline that names the nearest sources', () => {
    const shown = outlineMarkdown(OUTLINE, sourceLabels(completeRun().catalogue));
    expect(shown).toContain('There is no section: nothing answers the question. Nearest to it are:');
    expect(shown).toMatch(/- Gamma 2011, “On gamma” `gamma`\n- Alpha 2011, “On alpha” `alpha`/);
  });

  it('can be compared with a report that found an answer, from either side', () => {
    const answered = assembleReport(completeRun()).report;
    const later = diffReports(report, answered);
    expect(later.summary.findings).toMatchObject({ newlyQuoted: 3, notQuoted: 0 });
    expect(later.gaps.closed).toEqual(['Does juggling help?']);
    expect(diffReports(answered, report).summary.findings).toMatchObject({ newlyQuoted: 0, notQuoted: 3 });
  });
});
