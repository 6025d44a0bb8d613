import { ENGLISH } from '../../../src/texts/texts';
import { Report } from '../../../src/contracts/report/report';
import type { SectionDraft } from '../../../src/contracts/report/draft';
import { assembleReport } from '../../../src/core/report/assemble-report';
import { claimsLine, type AsideTold } from '../../../src/core/report/claims-line';
import type { ReportParts } from '../../../src/core/report/report-parts';
import type { VerdictCounts } from '../../../src/contracts/verification/claim-verdict';
import { setAsideOfReport } from '../../../src/core/report/set-aside-markdown';
import { sectionsUnlikeReport } from '../../../src/core/report/streamed-texts';
import { activeNodes } from '../../support/active-nodes';
import { verdictCounts } from '../../support/run-events';
import { auditedRun, CONTRADICTED, UNSUPPORTED } from './audited-run';
import { completeRun } from './report-fixture';

function lineUnderTitle(markdown: string): string {
  return markdown.split('\n')[2] ?? '';
}

/** The items of the file beside the report, in the order of the text. */
function listOf(report: Report): string[] {
  return (setAsideOfReport(report) ?? '').split('\n').filter((line) => line.startsWith('- **'));
}

/** The run with its second section written otherwise. */
function withSecondDraft(
  run: ReportParts,
  change: (draft: SectionDraft) => Partial<SectionDraft>,
): ReportParts {
  const drafts = run.drafts.map(({ sectionId, draft }, at) =>
    at === 1 ? { sectionId, draft: { ...draft, ...change(draft) } } : { sectionId, draft },
  );
  return { ...run, drafts };
}

describe('a report with claims that do not stand', () => {
  const { report, markdown } = assembleReport(auditedRun());

  it('keeps the contract of report.json', () => {
    expect(Report.parse(report)).toEqual(report);
  });

  it('counts all that were audited, and says under the title what became of them', () => {
    expect(report.audit).toEqual(verdictCounts({ claims: 7, supported: 4, contradicted: 1, unsupported: 2 }));
    expect(report.claims.length + report.setAside.length).toBe(report.audit.claims);
    expect(lineUnderTitle(markdown)).toBe(
      '> 7 claims were held against the passages that they cite: 4 supported (4 of 7), 1 contradicted, 2 unsupported. Of the 3 that are not supported, 1 is replaced by the words of its finding and 2 are left out; set aside: 1 in “Executive Summary” and 2 in “Swimming”, listed with the reasons in report.json and in the file “set-aside” beside it.',
    );
  });

  it('says so of those that stand without being supported', () => {
    const open = assembleReport(auditedRun('mark', true));
    expect(open.report.audit).toMatchObject({ claims: 7, supported: 3, unchecked: 1 });
    expect(lineUnderTitle(open.markdown)).toContain(
      '2 are left out and 1 stands as it was written; set aside: 1',
    );
  });

  it('marks the places where they stood, and has the other claims at their offsets', () => {
    expect(report.sections[1]?.markdown).toBe(
      'It raised aerobic capacity by 11% [4]. (one sentence was set aside here) Forty adults swam [4]. (one sentence was set aside here)',
    );
    expect(markdown).toContain('It raises aerobic capacity [4]. (one sentence was set aside here)');
    for (const claim of report.claims) {
      const section = report.sections.find(({ id }) => id === claim.sectionId);
      expect(section?.markdown.slice(claim.start, claim.end)).toBe(claim.text);
    }
  });

  it('begins with what the summary says, and not with what its sources deal with', () => {
    const [, summary = ''] = markdown.split('## Executive Summary\n\n');
    expect(summary).toMatch(/^- \*\*Swimming\.\*\*/);
    expect(markdown).not.toContain('Five sources report');
    const none = auditedRun();
    expect(assembleReport({ ...none, frame: null }).markdown).toContain('Five sources report');
    const frame = {
      title: 'T',
      bullets: ['[@aside 0]'],
      followUpQuestions: [],
      checked: none.frame?.checked,
    };
    expect(assembleReport({ ...none, frame }).markdown).toMatch(
      /Five sources report .*\n\n- \(one sentence was set aside here\)/,
    );
  });

  it('makes no link of a mark behind a citation', () => {
    const run = auditedRun();
    for (const draft of run.drafts.map((entry) => entry.draft))
      draft.markdown = draft.markdown.replace(/\.\s*(\[@aside)/g, '$1');
    const text = assembleReport({ ...run, drafts: run.drafts }).report.sections[1]?.markdown ?? '';
    expect(text).toContain('[4] (one sentence was');
    expect(activeNodes(text)).toEqual([]);
  });

  it('counts those that stood one behind the other in one mark', () => {
    const said = 'Forty adults swam [@delta].';
    const run = withSecondDraft(auditedRun(), ({ claims }) => ({
      markdown: `${said} [@aside 0] [@aside 1]`,
      claims: claims.filter(({ text }) => text === said),
    }));
    expect(assembleReport(run).markdown).toContain(
      'Forty adults swam [4] (Medium confidence). (2 sentences were set aside here)',
    );
  });

  it('repeats none of them, so that nobody passes one on with the report', () => {
    const told = markdown.replace(/\\/g, '');
    for (const { text } of report.setAside) expect(told).not.toContain(text.replace(/\.$/, ''));
    expect(told).not.toMatch(/twice|31%|cures all/);
  });

  it('lists each beside it with what is wrong, where that was looked for, and what became of it, as harmless text', () => {
    const [ofSummary, first, second] = listOf(report);
    expect(first).toBe(
      '- **A2**, contradicted: “Swimming raised aerobic capacity by 31% in 40 adults” [4]. It says 31%; what it cites says 11%. Place looked at: “Swimming raised aerobic capacity by 11% in 40 adults” [4]. The words of its finding stand in its place.',
    );
    expect(second).toMatch(/^- \*\*A3\*\*, unsupported: .*What bears it better: \[1\]\. It is left out\.$/);
    expect(ofSummary).toMatch(/^- \*\*A1\*\*, unsupported: “Walking cures all” \[2\]\./);
    expect(activeNodes(second ?? '')).toEqual([]);
    expect(setAsideOfReport(report)).toMatch(/^## Swimming$[^]*^- \[5\] “/m);
  });

  it('has them in report.json as they were written, with where they stood', () => {
    expect(report.setAside).toEqual([
      expect.objectContaining({ id: 'A1', sectionId: 'summary', citations: [2] }),
      { ...CONTRADICTED, id: 'A2', sectionId: 'section-2', citations: [4] },
      { ...UNSUPPORTED, id: 'A3', sectionId: 'section-2', citations: [5] },
    ]);
  });

  it('lists a source that only they cite in report.json, and counts it nowhere', () => {
    expect(report.citations.at(-1)).toMatchObject({ n: 5, sourceId: 'unused', timesCited: 0 });
    expect(report.citationReport).toMatchObject({ uniqueCitations: 4, coverage: 4 / 6 });
    expect(markdown).not.toContain('[5]');
  });

  it('gives a claim that stands the verdict of its audit, with the place first', () => {
    const claim = report.claims.find(({ sectionId }) => sectionId === 'section-2');
    expect(claim).toMatchObject({ verdict: 'supported', code: 'critic', probability: 0.9, citations: [4] });
    expect(claim?.evidence.map(({ quote }) => quote)).toEqual([
      'raised aerobic capacity by 11%',
      'Swimming raised aerobic capacity by 11% in 40 adults.',
    ]);
  });

  it('assesses only findings of claims that stand', () => {
    const none = { markdown: 'It is long. [@aside 0] [@aside 1]', claims: [] };
    const run = withSecondDraft(auditedRun(), () => none);
    const { report: less, markdown: text } = assembleReport({ ...run, findings: run.findings.slice(0, 1) });
    const assessed = /## Confidence Assessment([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
    expect(assessed.match(/: one finding - Supported by/g)).toHaveLength(1);
    expect(assessed).toContain('[1][2]');
    expect(less.setAside.map(({ id }) => id)).toEqual(['A1', 'A2', 'A3']);
  });

  it('is told by its events as it stands there', () => {
    const texts = new Map(
      auditedRun().drafts.map(({ sectionId, draft }) => [
        sectionId,
        { generation: 1, start: 0, text: draft.markdown, isWritten: true },
      ]),
    );
    expect(sectionsUnlikeReport(texts, report)).toEqual([]);
  });
});

describe('where they are to be removed', () => {
  const { report, markdown } = assembleReport(auditedRun('remove'));

  it('only the line under the title tells of them in the text', () => {
    expect(lineUnderTitle(markdown)).toMatch(
      /The 3 that are not supported are removed; set aside: 1 in “Executive Summary” and 2 in “Swimming”, listed/,
    );
    expect(markdown).not.toMatch(/set aside here|twice|31%/);
    expect(markdown).not.toContain('[5]');
  });

  it('one whose place is marked all the same is counted as left out', () => {
    const run = withSecondDraft(auditedRun('remove'), (draft) => ({
      markdown: `${draft.markdown} [@aside 0]`,
    }));
    const { markdown: text } = assembleReport(run);
    expect(text).toContain('(one sentence was set aside here)');
    expect(lineUnderTitle(text)).toMatch(/1 is left out and 2 are removed; set aside: 1 in/);
  });

  it('a section of which nothing is left tells its findings', () => {
    const empty = assembleReport(withSecondDraft(auditedRun('remove'), () => ({ markdown: '', claims: [] })));
    expect(empty.report.sections.map(({ title }) => title)).toEqual(
      report.sections.map(({ title }) => title),
    );
    expect(empty.report.sections[1]?.markdown).toMatch(/^- .*11%.* \[4\]/);
    expect(empty.report.gaps).toEqual(report.gaps);
    expect(empty.report.audit.claims).toBe(empty.report.claims.length + 3);
  });

  it('report.json and the file beside it have them, and their sources no number', () => {
    expect(listOf(report)).toHaveLength(3);
    expect(listOf(report)[2]).toContain('[unused]');
    expect(report.setAside.map(({ id, citations }) => [id, citations])).toEqual([
      ['A1', [2]],
      ['A2', [4]],
      ['A3', []],
    ]);
    expect(report.citations.map(({ sourceId }) => sourceId)).not.toContain('unused');
    expect(report.audit).toMatchObject({ claims: 7, supported: 4 });
  });
});

test('a report by quoting has its quotes as evidence, and nothing set aside, which it says behind its answer', () => {
  const { report, markdown } = assembleReport(completeRun());
  expect(report.claims.map(({ verdict, code }) => [verdict, code])).toEqual(
    report.claims.map(() => ['supported', 'same-words']),
  );
  expect(report.setAside).toEqual([]);
  expect(setAsideOfReport(report)).toBeNull();
  expect(markdown).not.toContain('set aside');
  expect(lineUnderTitle(markdown)).toBe('## Executive Summary');
  expect(markdown.split('## Confidence Assessment')[1]).toContain(
    '\n\n3 of 3 claims stand where cited (3 quotes); that says nothing of how well they answer.',
  );
});

test('a report of an earlier release is still one', () => {
  const { setAside: _setAside, ...report } = assembleReport(completeRun()).report;
  const claims = report.claims.map(({ code: _code, probability: _probability, ...claim }) => claim);
  expect(Report.parse({ ...report, claims })).toEqual({ ...report, claims, setAside: [] });
});

test.each<[Partial<VerdictCounts>, AsideTold['fate'][], string]>([
  [{ supported: 1 }, [], 'The one claim is supported by what it cites: 1 of 1.'],
  [{}, [], 'The report makes no claim: 0 of 0.'],
  [
    { unsupported: 1 },
    ['left-out'],
    '1 claim was held against the passages that they cite: 0 supported (0 of 1), 1 unsupported. The one that is not supported is left out; set aside: 1 in “A, B”, listed with the reason in report.json and in the file “set-aside” beside it.',
  ],
  [
    { supported: 3, partial: 1, unchecked: 2 },
    [],
    '6 claims were held against the passages that they cite: 3 supported (3 of 6), 1 partial, 2 unchecked. The 3 that are not supported stand as they were written.',
  ],
  [
    { supported: 1, partial: 1, contradicted: 1, unsupported: 1 },
    ['replaced', 'removed', 'removed'],
    '4 claims were held against the passages that they cite: 1 supported (1 of 4), 1 partial, 1 contradicted, 1 unsupported. Of the 3 that are not supported, 1 is replaced by the words of its finding and 2 are removed; set aside: 3 in “A, B”, listed with the reasons in report.json and in the file “set-aside” beside it.',
  ],
])('the line for %j', (verdicts, fates, line) => {
  const claims = Object.values(verdicts).reduce((sum, amount) => sum + amount, 0);
  const aside = fates.map((fate) => ({ fate, part: 'A, B' }));
  expect(claimsLine(verdictCounts({ claims, ...verdicts }), aside, { texts: ENGLISH })).toBe(line);
});
