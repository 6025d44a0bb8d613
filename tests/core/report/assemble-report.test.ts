import { Report } from '../../../src/contracts/report/report';
import { assembleReport } from '../../../src/core/report/assemble-report';
import { completeRun, TEXTS, withSources } from './report-fixture';

describe('a report of a run that went to its end', () => {
  const { report, markdown } = assembleReport(completeRun());

  it('keeps the contract of report.json', () => {
    expect(Report.parse(report)).toEqual(report);
    expect(report.markdown).toBe(markdown);
  });

  it('has the parts in the order of the document', () => {
    expect([...markdown.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      'Executive Summary',
      'Walking and blood pressure',
      'Swimming',
      'Conflicting Evidence',
      'Information Gaps',
      'Confidence Assessment',
      'Follow-up Questions',
      'Sources',
    ]);
  });

  it('numbers sources in the order in which the sections cite them', () => {
    expect(report.citations.map((citation) => [citation.n, citation.sourceId])).toEqual([
      [1, 'alpha'],
      [2, 'beta'],
      [3, 'gamma'],
      [4, 'delta'],
    ]);
    const used = [...markdown.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    expect(new Set(used)).toEqual(new Set([1, 2, 3, 4]));
    expect(markdown).not.toContain('[@');
  });

  it('finds every claim at its offsets, and every quote at its own', () => {
    expect(report.claims).toHaveLength(3);
    for (const claim of report.claims) {
      const section = report.sections.find((candidate) => candidate.id === claim.sectionId);
      expect(section?.markdown.slice(claim.start, claim.end)).toBe(claim.text);
      expect(claim.evidence.length).toBeGreaterThan(0);
      for (const { n, quote, start, end } of claim.evidence) {
        const cited = report.citations.find((citation) => citation.n === n);
        expect(TEXTS[cited?.sourceId ?? '']?.slice(start, end)).toBe(quote);
      }
    }
  });

  it('tells the page of a quote, or what its source has instead', () => {
    const run = withSources(completeRun(), (source) => {
      const whole = { number: 7, start: 0, end: source.contentChars };
      return { ...source, pages: [source.id === 'beta' ? { ...whole, name: 'slide 7' } : whole] };
    });
    const { claims } = assembleReport(run).report;
    expect(claims[0]?.evidence).toMatchObject([
      { n: 1, page: 7 },
      { n: 2, place: 'slide 7' },
    ]);
  });

  it('quotes agreeing sources under one claim, and sets the contradicting one beside it', () => {
    const [agreed, opposed] = report.claims;
    expect(agreed?.text).toContain('[1]; in agreement, “Daily walks');
    expect(agreed?.citations).toEqual([1, 2]);
    expect(opposed?.text).toMatch(/^“Walking did not change/);
  });

  it('says whose claim it is, and how far it can be relied on', () => {
    expect(report.claims[0]?.text).toMatch(/^“Walking lowered .*” \(Alpha 2011\) \[1\]/);
    expect(markdown).toContain('[2] (High confidence).\n');
    expect(markdown).toContain('**Confidence:** (Low confidence) where this report says nothing else.');
    expect(report.claims.map((claim) => claim.verdict)).toEqual(['supported', 'supported', 'supported']);
  });

  it('presents the conflict with the citations of both sides', () => {
    expect(markdown).toMatch(
      /\*\*Walking and systolic pressure\.\*\* Alpha.* “Walking lowered systolic pressure by 4 mmHg” \[1\]\[2\], while Gamma.* \[3\]\./,
    );
    expect(report.conflicts[0]?.viewpoints.map((viewpoint) => viewpoint.citations)).toEqual([[1, 2], [3]]);
  });

  it('accounts for every source that was given', () => {
    expect(report.sources).toEqual({
      total: 6,
      inFull: 3,
      bySummary: 1,
      unused: 1,
      duplicates: 1,
      retrievals: { requested: 3, found: 3, missing: 0, chars: 150 },
    });
  });

  it('counts citations, and says that there are too few sources for the minimum', () => {
    expect(report.citationReport).toMatchObject({
      uniqueCitations: 4,
      coverage: 4 / 6,
      meetsMinimum: false,
      recommendations: ['Add 46 more citations to meet minimum of 50'],
    });
    expect(markdown).toContain('This report cites 4 of 4 sources on its question; 50 were wanted.');
    expect(report.citationReport.lowCitationSections).toEqual([]);
  });

  it('is the same bytes for the same parts', () => {
    expect(assembleReport(completeRun())).toMatchObject({ report, markdown });
  });
});

describe('a report of a run that ended early', () => {
  it('lists the findings of a section that was not written', () => {
    const run = completeRun();
    const { report, markdown } = assembleReport({
      ...run,
      status: 'cancelled',
      endedEarly: 'The run was cancelled in pass 4.',
      drafts: run.drafts.slice(0, 1),
      frame: null,
    });
    expect(markdown).toContain('> The run was cancelled in pass 4.');
    expect(report.sections[1]?.markdown).toMatch(/^- .*Swimming raised aerobic capacity by 11% in 40 adults/);
    expect(report.claims).toHaveLength(3);
  });

  it('says where nothing was found, and whether the run had the time for it', () => {
    const run = { ...completeRun(), findings: [], drafts: [], conflicts: [], frame: null };
    expect(assembleReport({ ...run, endedEarly: 'It was cancelled.' }).report.sections[0]?.markdown).toBe(
      'Nothing was found for this section before the run ended.',
    );
    expect(assembleReport({ ...run, shortfalls: ['Pass 2 failed.'] }).report.sections[0]?.markdown).toBe(
      'Nothing was found for this section.',
    );
  });

  it('says so where there is not even an outline', () => {
    const nothing = { findings: [], conflicts: [], gaps: [], drafts: [], readInFull: [] };
    const { report, markdown } = assembleReport({
      ...completeRun(),
      ...nothing,
      status: 'cancelled',
      catalogue: null,
      outline: null,
      frame: null,
    });
    expect(Report.parse(report).sections).toEqual([]);
    expect(markdown).toContain('The run ended before the sources were surveyed.');
    expect(report.sources).toMatchObject({ total: 6, unused: 6 });
  });
});

describe('what the reader has to know first', () => {
  it('stands right under the title, each once', () => {
    const { markdown } = assembleReport({
      ...completeRun(),
      status: 'partial',
      endedEarly: 'The time was up in pass 4.',
      shortfalls: [
        'Pass 1 could not plan the report (no *answer*), so it has one section.',
        'Pass 3 could not check the section "Swimming".',
        'Pass 3 could not check the section "Swimming".',
      ],
    });
    expect(markdown.split('\n').slice(0, 9)).toEqual([
      '# Does walking help?',
      '',
      '> The time was up in pass 4.',
      '>',
      '> Pass 1 could not plan the report (no \\*answer\\*), so it has one section.',
      '>',
      '> Pass 3 could not check the section "Swimming".',
      '',
      '## Executive Summary',
    ]);
  });
});

describe('the list of sources', () => {
  const general = { level: 'general' as const, reason: 'example.org: our own wiki.' };
  const run = withSources(completeRun(), (source) =>
    source.id === 'beta' ? { ...source, quality: general } : source,
  );
  const { report, markdown } = assembleReport(run);
  const lines = (markdown.split('## Sources')[1] ?? '').trim().split('\n');

  it('marks each with what the mark rests on', () => {
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      / <https:\/\/example\.org\/alpha>\. Accessed 2026-01-02\. Authoritative \(a journal\)\.$/,
    );
    expect(lines[1]).toMatch(/ General \(our own wiki\)\.$/);
  });

  it('says which ones were read by their summary only', () => {
    expect(lines[2]).toMatch(/ Authoritative \(a journal\)\. Read by its summary only\.$/);
    expect(lines.filter((line) => line.includes('summary'))).toHaveLength(1);
    expect(report.citations.map(({ readInFull }) => readInFull)).toEqual([true, true, false, true]);
  });

  it('links nothing that is no address of the web', () => {
    const odd = withSources(run, (source) => ({ ...source, url: 'javascript:alert(1)' }));
    expect(assembleReport(odd).markdown).not.toMatch(/<javascript/);
  });
});

describe('text of sources in a report', () => {
  it('is shown as it is, and escaped once', () => {
    const run = completeRun();
    const frame = { title: 'Does *walking* [1] help?', bullets: [], followUpQuestions: ['Why *4* mmHg?'] };
    const { markdown } = assembleReport({ ...run, frame });
    expect(markdown).toContain('# Does \\*walking\\* \\[1\\] help?\n');
    expect(markdown).toContain('- Why \\*4\\* mmHg?\n');
  });

  it('cannot become a link, an image or a heading', () => {
    const title =
      'Click ![x](https://evil.example/p.png) [here](https://evil.example) <img src=x> \u001b]8;;https://evil.example\u0007now';
    const run = withSources(completeRun(), (source) => ({ ...source, author: undefined, title }));
    const { markdown } = assembleReport({ ...run, question: title, frame: null });
    expect(markdown).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)<img|\u001b/);
  });
});
