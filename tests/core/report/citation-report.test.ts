import { SynthesisSettings } from '../../../src/contracts/report/synthesis-settings';
import type { ReportCitation } from '../../../src/contracts/report/report';
import { assembleReport } from '../../../src/core/report/assemble-report';
import { type CitedMaterial, citationReport } from '../../../src/core/report/citation-report';
import type { ReportParts } from '../../../src/core/report/report-parts';
import { completeRun, source } from './report-fixture';

const SETTINGS = SynthesisSettings.parse({});

function citation(n: number, timesCited = 1): ReportCitation {
  const { id, url, title, accessedAt, quality } = source(`s${n}`);
  return { n, sourceId: id, url, title, accessedAt, quality, timesCited, readInFull: true };
}

function cited(changes: Partial<CitedMaterial> = {}): CitedMaterial {
  return { citations: [], sections: [], majorClaims: [], sourcesGiven: 0, sourcesBearing: 0, ...changes };
}

const sourceIds = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at + 1}`);

describe('the citation report', () => {
  const citations = Array.from({ length: 12 }, (_, at) => citation(at + 1, at === 11 ? 9 : 2));
  const result = citationReport(
    cited({
      citations,
      sections: [
        { id: 'section-1', title: 'Walks', citations: [1, 2, 3, 4], sourceIds: sourceIds(12) },
        { id: 'section-2', title: 'Swims', citations: [5], sourceIds: sourceIds(20).slice(10) },
        { id: 'section-3', title: 'Jumps', citations: [], sourceIds: ['s30'] },
        { id: 'section-4', title: 'Tea', citations: [6, 7], sourceIds: ['s6', 's7'] },
      ],
      sourcesGiven: 200,
      sourcesBearing: 100,
    }),
    SETTINGS,
  );

  it('counts sources, uses, the share of the sources given, and sources by section', () => {
    expect(result).toMatchObject({ uniqueCitations: 12, usages: 31, coverage: 0.06, meetsMinimum: false });
    expect(result.bySection.map(({ sectionId, uniqueCitations }) => [sectionId, uniqueCitations])).toEqual([
      ['section-1', 4],
      ['section-2', 1],
      ['section-3', 0],
      ['section-4', 2],
    ]);
  });

  it('names the sections with too few, also one that cites nothing, but none that cites all it was given', () => {
    expect(result.lowCitationSections).toEqual(['section-2', 'section-3']);
  });

  it('lists the ten that are cited most, and of equals the first', () => {
    expect(result.mostCited.map(({ n }) => n)).toEqual([12, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('says what to cite, and from where', () => {
    expect(result.recommendations).toEqual([
      'Add 38 more citations to meet minimum of 50',
      'Cite from the section "Swims": 8 of its 10 sources are not cited yet.',
      'Cite from the section "Jumps": its one source is not cited yet.',
      'Section "Swims" has only 1 citation, needs 2 more',
      'Section "Jumps" has only 0 citations, needs 1 more',
    ]);
  });
});

it.each([
  [3, 'none of its 3 sources is cited yet'],
  [4, '3 of its 4 sources are not cited yet'],
])('of %i sources of a section: %s', (all, said) => {
  const ids = all === 3 ? ['s7', 's8', 's9'] : ['s1', 's7', 's8', 's9'];
  const { recommendations } = citationReport(
    cited({
      citations: [citation(1)],
      sections: [{ id: 'section-1', title: 'Walks', citations: [1, 2, 3], sourceIds: ids }],
      sourcesBearing: 5,
    }),
    SETTINGS,
  );
  expect(recommendations).toEqual([
    'Add 49 more citations to meet minimum of 50',
    `Cite from the section "Walks": ${said}.`,
  ]);
});

describe('a report with a section that was written from nothing', () => {
  const run = completeRun();
  const { report, markdown } = assembleReport({
    ...run,
    drafts: run.drafts.map((draft) =>
      draft.sectionId === 'section-2' ? { ...draft, draft: { markdown: '', claims: [] } } : draft,
    ),
  });

  it('has no empty chapter, but names it among the gaps, and in the citation report', () => {
    expect(markdown).not.toContain('## Swimming');
    expect(markdown).toContain(
      '- **What do sources say on swimming?** The report was to have a section on this;',
    );
    expect(report.gaps).toHaveLength(2);
    expect(report.sections.map(({ id }) => id)).toEqual(['section-1']);
    expect(report.citationReport.bySection.at(-1)).toEqual({
      sectionId: 'section-2',
      title: 'Swimming',
      uniqueCitations: 0,
    });
    expect(report.citationReport.lowCitationSections).toEqual(['section-2']);
    expect(report.citationReport.recommendations).toContain(
      'Section "Swimming" has only 0 citations, needs 1 more',
    );
  });
});

describe('a report that cites fewer sources than wanted', () => {
  const run = completeRun();
  /** With so many sources that the outline found something in. */
  const bearing = (count: number): ReportParts => ({
    ...run,
    sourcesGiven: 400,
    outline: {
      overallTheme: 'Walks.',
      sections: (run.outline?.sections ?? []).map((section) => ({
        ...section,
        sourceScores: Array.from({ length: count }, (_, at) => ({ sourceId: `s${at}`, relevance: 0.5 })),
      })),
    },
  });

  it.each([
    ['says so behind what is said of its claims', 36, 40],
    ['says what was wanted where its material would have done', 56, 60],
    ['is not told to cite sources that have nothing on its question', 0, 4],
  ])('%s', (_what, count, of) => {
    const { report, markdown } = assembleReport(bearing(count));
    expect(report.citationReport).toMatchObject({ meetsMinimum: false, coverage: 0.01 });
    expect(markdown.split('## Confidence Assessment')[1]).toContain(
      ` This report cites 4 of ${of} sources on its question; 50 were wanted.\n`,
    );
  });

  it('does not say so where it has as many as were asked for', () => {
    const { synthesis } = completeRun();
    const few = { ...completeRun(), synthesis: { ...synthesis, minTotalCitations: 4 } };
    const { report, markdown } = assembleReport(few);
    expect(report.citationReport).toMatchObject({ meetsMinimum: true, recommendations: [] });
    expect(markdown).not.toMatch(/^>.*minimum/m);
  });
});
