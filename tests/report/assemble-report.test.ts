import fc from 'fast-check';
import type { SectionDraft } from '../../src/contracts/draft';
import type { SetAsideClaim, VerdictCounts } from '../../src/contracts/finding';
import { Report } from '../../src/contracts/report';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import { writeSectionExtractively } from '../../src/engines/extractive/quoted-sections';
import { cleanMarkdown } from '../../src/engines/model/clean-markdown';
import { statementsOf } from '../../src/evidence/written-text';
import { stripUnsafe } from '../../src/lib/untrusted-text';
import { citationUrl } from '../../src/lib/url';
import { assembleReport } from '../../src/report/assemble-report';
import type { ReportParts } from '../../src/report/chapters';
import { rejectedClaimsOfReport, sectionsUnlikeReport } from '../../src/report/citations';
import { claimsLine, type RejectedClaimOutcome } from '../../src/report/claims';
import { type Check, reportTexts } from '../../src/report/report-texts';
import { activeNodes } from '../support/active-nodes';
import { pageOf, RENDERERS } from '../support/renderers';
import { verdictCounts } from '../support/run-events';
import { auditedRun, CONTRADICTED, UNSUPPORTED } from './audited-run';
import { completeRun, evidence, TEXTS, withSources } from './report-fixture';

describe('assembleReport', () => {
  describe('a complete report', () => {
    const { report, markdown } = assembleReport(completeRun());

    it('keeps the contract of report.json', () => {
      expect(Report.parse(report)).toEqual(report);
      expect(report.markdown).toBe(markdown);
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

    it('gives the page of a quote, or the name of its place', () => {
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

    it('quotes agreeing sources in one claim and the contradicting source in another', () => {
      const [agreed, opposed] = report.claims;
      expect(agreed?.text).toContain('[1]; in agreement, “Daily walks');
      expect(agreed?.citations).toEqual([1, 2]);
      expect(opposed?.text).toMatch(/^“Walking did not change/);
    });

    it('counts every given source', () => {
      expect(report.sources).toEqual({
        total: 6,
        inFull: 3,
        bySummary: 1,
        unused: 1,
        duplicates: 1,
        retrievals: { requested: 3, found: 3, missing: 0, chars: 150 },
      });
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
      expect(markdown).toMatch(/^## Executive Summary\n\n.*\n\nThe run was cancelled in pass 4\.\n\n## /m);
      expect(report.sections[1]?.markdown).toMatch(
        /^- .*Swimming raised aerobic capacity by 11% in 40 adults/,
      );
      expect(report.claims).toHaveLength(3);
    });

    it('has no chapter for a section of which nothing was found, and a gap for it', () => {
      const run = { ...completeRun(), findings: [], drafts: [], conflicts: [], frame: null };
      const { report } = assembleReport({ ...run, endedEarly: 'It was cancelled.' });
      expect(report.sections).toEqual([]);
      expect(report.gaps).toContain('What do sources say on swimming?');
    });

    it('says that the run ended before an outline was made', () => {
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

  describe('what a reader has to know of the run', () => {
    const { report, markdown } = assembleReport({
      ...completeRun(),
      status: 'partial',
      endedEarly: 'The time was up in pass 4.',
      shortfalls: [
        'Pass 1 could not plan the report (no *answer*), so it has one section.',
        'Pass 3 could not check the section "Swimming".',
        'Pass 3 could not check the section "Swimming".',
      ],
    });

    it('stands under the summary where the report is incomplete, and else before the sources, each once', () => {
      expect(markdown).toMatch(/^# [^\n]*\n\n## Executive Summary\n/);
      expect(markdown).toMatch(/\n\nThe time was up in pass 4\.\n\n## /);
      expect(markdown).toContain(
        '## Limits and open questions\n\n' +
          'Pass 1 could not plan the report (no \\*answer\\*), so it has one section. ' +
          'Pass 3 could not check the section "Swimming". 1 of 4 cited sources was read by its summary only.\n\n' +
          '### Information Gaps\n',
      );
    });

    it('is in report.json, with what the text does not tell', () => {
      expect(report.notices?.slice(0, 2)).toEqual([
        'The time was up in pass 4.',
        'Pass 1 could not plan the report (no *answer*), so it has one section.',
      ]);
      expect(report.notices?.at(-1)).toMatch(/; 50 were wanted\.$/);
      expect(markdown).not.toContain('were wanted');
    });
  });

  describe('the chapters behind the text', () => {
    it('has none that is empty', () => {
      const run = {
        ...completeRun(),
        gaps: [],
        conflicts: [],
        readInFull: ['alpha', 'beta', 'gamma', 'delta'],
      };
      const { markdown } = assembleReport({ ...run, frame: null });
      expect(markdown.match(/^##+ .*$/gm)).toEqual([
        '## Executive Summary',
        '## Walking and blood pressure',
        '## Swimming',
        '## Sources',
      ]);
    });

    it('tells a conflict unless one paragraph has both its sides', () => {
      const run = completeRun();
      const joined = run.drafts.map(({ sectionId, draft }) => ({
        sectionId,
        draft: { ...draft, markdown: draft.claims.map(({ text }) => text).join(' ') },
      }));
      expect(assembleReport(run).markdown).toContain('\n## Conflicting Evidence\n');
      const { report, markdown } = assembleReport({ ...run, drafts: joined });
      expect(markdown).not.toContain('Conflicting Evidence');
      expect(report.conflicts).toHaveLength(1);
      expect(report.conflicts[0]?.viewpoints.every(({ citations }) => citations.length > 0)).toBe(true);
    });

    it('tells a conflict of a whole text unless one part cites both sides and states one', () => {
      const run = completeRun();
      const text = { planned: run.outline as NonNullable<typeof run.outline>, gaps: [], isChecked: true };
      const [side] = run.conflicts[0]?.viewpoints ?? [];
      const oneSided = run.drafts.map(({ sectionId, draft }) => ({
        sectionId,
        draft: {
          ...draft,
          claims: draft.claims.filter((claim) => side?.citations.every((id) => !claim.text.includes(id))),
        },
      }));
      expect(assembleReport(run).markdown).toContain('\n## Conflicting Evidence\n');
      expect(assembleReport({ ...run, text }).markdown).not.toContain('Conflicting Evidence');
      expect(assembleReport({ ...run, text, drafts: oneSided }).markdown).toContain('Conflicting Evidence');
    });

    it('tells at most six gaps, and all of them in report.json', () => {
      const gaps = Array.from({ length: 8 }, (_, at) => ({ question: `What of ${at}?`, reason: 'Nothing.' }));
      const { report, markdown } = assembleReport({ ...completeRun(), gaps });
      expect(markdown.match(/^- \*\*What of \d\?\*\* Nothing\.$/gm)).toHaveLength(6);
      expect(report.gaps).toHaveLength(8);
    });
  });

  describe('the list of sources', () => {
    const general = { level: 'general' as const, reason: 'example.org: our own wiki.' };
    const run = withSources(completeRun(), (source) =>
      source.id === 'beta' ? { ...source, quality: general } : source,
    );
    const { report, markdown } = assembleReport(run);
    const lines = (markdown.split('## Sources')[1] ?? '').trim().split('\n').slice(0, -2);

    it('names the quality of an authoritative source with its reason', () => {
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatch(/ <https:\/\/example\.org\/alpha>\. Authoritative \(a journal\)\.$/);
    });

    it('says when a page was fetched, and nothing of what was given', () => {
      expect(markdown).not.toContain('Accessed');
      const fetched = withSources(run, (source) => ({ ...source, sha256: 'a'.repeat(64) }));
      expect(assembleReport(fetched).markdown).toContain(
        ' <https://example.org/alpha>. Accessed 2026-01-02. ',
      );
    });

    it('says which sources were read by their summary only', () => {
      expect(lines[2]).toMatch(/ Authoritative \(a journal\)\. Read by its summary only\.$/);
      expect(lines.filter((line) => line.includes('summary'))).toHaveLength(1);
      expect(report.citations.map(({ readInFull }) => readInFull)).toEqual([true, true, false, true]);
    });

    it('puts the parts of one work together under its title, with their numbers, and counts them once', () => {
      const work = { id: 'work:alpha', title: 'A handbook of walks' };
      const parted = withSources(run, (source) =>
        ['alpha', 'gamma', 'unused'].includes(source.id) ? { ...source, work } : source,
      );
      const catalogue = parted.catalogue && { ...parted.catalogue, furtherParts: 2 };
      const { report: one, markdown: told } = assembleReport({ ...parted, catalogue });
      const list = (told.split('## Sources')[1] ?? '').trim().split('\n').slice(0, -2);
      expect(list.map((line) => line.slice(0, 44).trimEnd())).toEqual([
        '- Parts of one document, which count once: “',
        expect.stringMatching(/^ {2}- \[1\] Alpha/),
        expect.stringMatching(/^ {2}- \[3\] Gamma/),
        expect.stringMatching(/^- \[2\] Beta/),
        expect.stringMatching(/^- \[4\] Delta/),
      ]);
      expect(list[0]).toMatch(/“A handbook of walks”$/);
      expect(one.citations.map(({ work: of }) => of?.title ?? null)).toEqual([
        work.title,
        null,
        work.title,
        null,
      ]);
      expect(one.citationReport).toMatchObject({ uniqueCitations: 3, coverage: 0.75 });
      expect(one.sources).toMatchObject({ total: 6, works: 4 });
      expect(report.sources.works).toBeUndefined();
    });

    it('links only addresses of the web', () => {
      const odd = withSources(run, (source) => ({ ...source, url: 'javascript:alert(1)' }));
      expect(assembleReport(odd).markdown).not.toMatch(/<javascript/);
    });
  });
});

test.each<[Partial<Check>, string]>([
  [
    { by: 'quoting', stated: 41, supported: 41 },
    'all 41 statements are quotations that stand word for word in the source; how well they answer was not judged.',
  ],
  [
    { stated: 57, supported: 48, inference: 9 },
    '48 of 57 cited statements are supported by the passages they cite and 9 are conclusions from them (checked in a separate call of the same model). Sentences without a citation are the report’s own.',
  ],
  [
    { by: 'other-model', stated: 2, supported: 2 },
    'all 2 cited statements are supported by the passages they cite (checked by another model than the one that wrote them). Sentences without a citation are the report’s own.',
  ],
  [
    { by: 'words', stated: 6, supported: 3, unchecked: 3, setAside: 1 },
    '3 of 6 cited statements are supported by the passages they cite (checked by comparing words, without a model). 3 could not be checked and are marked. 1 was set aside.',
  ],
  [
    { stated: 2, supported: 1, doubtful: 1 },
    '1 of 2 cited statements is supported by the passages they cite (checked in a separate call of the same model). 1 could not be confirmed in full. Sentences without a citation are the report’s own.',
  ],
  [
    { stated: 9, supported: 5, inference: 2, unchecked: 1, numberAbsent: 1, doubtful: 1 },
    '5 of 9 cited statements are supported by the passages they cite and 2 are conclusions from them (checked in a separate call of the same model). 2 could not be confirmed in full. In 1 a number does not stand word for word in what is cited. Sentences without a citation are the report’s own.',
  ],
  [{ by: 'words' }, 'the report states nothing that cites a source.'],
])('the last line for %j', (told, line) => {
  const none = {
    stated: 0,
    supported: 0,
    inference: 0,
    unchecked: 0,
    numberAbsent: 0,
    doubtful: 0,
    setAside: 0,
  };
  expect(reportTexts.check({ by: 'same-model', ...none, ...told })).toBe(
    `How this was checked: ${line} Details: report.html.`,
  );
});

describe('an audited report', () => {
  function lastLine(markdown: string): string {
    return markdown.trimEnd().split('\n').at(-1) ?? '';
  }

  /** The items of the file beside the report, in the order of the text. */
  function listOf(report: Report): string[] {
    return (rejectedClaimsOfReport(report) ?? '').split('\n').filter((line) => line.startsWith('- **'));
  }

  function withSecondDraft(
    run: ReportParts,
    change: (draft: SectionDraft) => Partial<SectionDraft>,
  ): ReportParts {
    const drafts = run.drafts.map(({ sectionId, draft }, at) =>
      at === 1 ? { sectionId, draft: { ...draft, ...change(draft) } } : { sectionId, draft },
    );
    return { ...run, drafts };
  }

  describe('with claims that were set aside', () => {
    const { report, markdown } = assembleReport(auditedRun());

    it('keeps the contract of report.json', () => {
      expect(Report.parse(report)).toEqual(report);
    });

    it('counts all audited claims in report.json, and those that stand in its last line', () => {
      expect(report.audit).toEqual(
        verdictCounts({ claims: 7, supported: 4, contradicted: 1, unsupported: 2 }),
      );
      expect(report.claims.length + report.setAside.length).toBe(report.audit.claims);
      expect(lastLine(markdown)).toMatch(
        /^How this was checked: all \d statements are quotations .* 3 were set aside\. Details: report\.html\.$/,
      );
    });

    it('marks a claim of the text that could not be checked', () => {
      const open = assembleReport(auditedRun('mark', true));
      expect(open.report.audit).toMatchObject({ claims: 7, supported: 3, unchecked: 1 });
      expect(lastLine(open.markdown)).toContain(' 1 could not be checked and is marked. 3 were set aside.');
      expect(open.markdown.match(/\(unchecked\)/g)).toHaveLength(1);
      for (const { markdown: section } of open.report.sections) expect(section).not.toContain('(unchecked)');
    });

    it('leaves out the claims and keeps the offsets of the others', () => {
      expect(report.sections[1]?.markdown).toBe(
        'It raised aerobic capacity by 11% [4]. Forty adults swam [4].',
      );
      for (const claim of report.claims) {
        const section = report.sections.find(({ id }) => id === claim.sectionId);
        expect(section?.markdown.slice(claim.start, claim.end)).toBe(claim.text);
      }
    });

    it('begins with the summary, and with the overall theme where there is none', () => {
      const [, summary = ''] = markdown.split('## Executive Summary\n\n');
      expect(summary).toMatch(/^- \*\*Swimming\.\*\*/);
      expect(markdown).not.toContain('Five sources report');
      const none = auditedRun();
      expect(assembleReport({ ...none, frame: null }).markdown).toContain('Five sources report');
      const frame = {
        title: 'T',
        bullets: [],
        followUpQuestions: [],
        checked: none.frame?.checked,
      };
      expect(assembleReport({ ...none, frame }).markdown).toMatch(/\n\nFive sources report [^\n]*\n\n## /);
    });

    it('lists each claim with reason, place and outcome, as inert text', () => {
      const [ofSummary, first, second] = listOf(report);
      expect(first).toBe(
        '- **A2**, contradicted: “Swimming raised aerobic capacity by 31% in 40 adults” [4]. It says 31%; what it cites says 11%. Place looked at: “Swimming raised aerobic capacity by 11% in 40 adults” [4]. It is left out.',
      );
      expect(second).toMatch(/^- \*\*A3\*\*, unsupported: .*What bears it better: \[1\]\. It is left out\.$/);
      expect(ofSummary).toMatch(/^- \*\*A1\*\*, unsupported: “Walking cures all” \[2\]\./);
      expect(activeNodes(second ?? '')).toEqual([]);
      expect(rejectedClaimsOfReport(report)).toMatch(/^## Swimming$[^]*^- \[5\] “/m);
    });

    it('has the claims in report.json as written, with their section', () => {
      expect(report.setAside).toEqual([
        expect.objectContaining({ id: 'A1', sectionId: 'summary', citations: [2] }),
        { ...CONTRADICTED, id: 'A2', sectionId: 'section-2', citations: [4] },
        { ...UNSUPPORTED, id: 'A3', sectionId: 'section-2', citations: [5] },
      ]);
    });

    it('lists a source that only these claims cite in report.json and does not count it', () => {
      expect(report.citations.at(-1)).toMatchObject({ n: 5, sourceId: 'unused', timesCited: 0 });
      expect(report.citationReport).toMatchObject({ uniqueCitations: 4, coverage: 4 / 6 });
      expect(markdown).not.toContain('[5]');
    });

    it('gives a supported claim the verdict and the evidence of its audit', () => {
      const claim = report.claims.find(({ sectionId }) => sectionId === 'section-2');
      expect(claim).toMatchObject({ verdict: 'supported', code: 'critic', probability: 0.9, citations: [4] });
      expect(claim?.evidence.map(({ quote }) => quote)).toEqual([
        'raised aerobic capacity by 11%',
        'Swimming raised aerobic capacity by 11% in 40 adults.',
      ]);
    });

    it('assesses only findings of claims in the text', () => {
      const none = { markdown: 'It is long.', claims: [] };
      const run = withSecondDraft(auditedRun(), () => none);
      const { report: less } = assembleReport({ ...run, findings: run.findings.slice(0, 1) });
      expect(new Set(less.findings?.map(({ sectionId }) => sectionId))).toEqual(new Set(['section-1']));
      expect(less.sections[1]?.markdown).toBe('It is long.');
      expect(less.setAside.map(({ id }) => id)).toEqual(['A1', 'A2', 'A3']);
    });

    it('matches the texts of its events', () => {
      const texts = new Map(
        auditedRun().drafts.map(({ sectionId, draft }) => [
          sectionId,
          { generation: 1, start: 0, text: draft.markdown, isWritten: true },
        ]),
      );
      expect(sectionsUnlikeReport(texts, report)).toEqual([]);
    });
  });

  describe('with claims that are removed', () => {
    const { report, markdown } = assembleReport(auditedRun('remove'));

    it('only counts the claims', () => {
      expect(lastLine(markdown)).toContain(' 3 were set aside.');
      expect(markdown).not.toMatch(/twice|31%/);
      expect(markdown).not.toContain('[5]');
    });

    it('writes the findings of a section of which nothing is left', () => {
      const empty = assembleReport(
        withSecondDraft(auditedRun('remove'), () => ({ markdown: '', claims: [] })),
      );
      expect(empty.report.sections.map(({ title }) => title)).toEqual(
        report.sections.map(({ title }) => title),
      );
      expect(empty.report.sections[1]?.markdown).toMatch(/^- .*11%.* \[4\]/);
      expect(empty.report.gaps).toEqual(report.gaps);
      expect(empty.report.audit.claims).toBe(empty.report.claims.length + 3);
    });

    it('has the claims in report.json and in the list, their sources without numbers', () => {
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

  test.each<[Partial<VerdictCounts>, RejectedClaimOutcome['fate'][], string]>([
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
      ['left-out', 'removed', 'removed'],
      '4 claims were held against the passages that they cite: 1 supported (1 of 4), 1 partial, 1 contradicted, 1 unsupported. Of the 3 that are not supported, 1 is left out and 2 are removed; set aside: 3 in “A, B”, listed with the reasons in report.json and in the file “set-aside” beside it.',
    ],
  ])('claimsLine for %j', (verdicts, fates, line) => {
    const claims = Object.values(verdicts).reduce((sum, amount) => sum + amount, 0);
    const aside = fates.map((fate) => ({ fate, part: 'A, B' }));
    expect(claimsLine(verdictCounts({ claims, ...verdicts }), aside, {})).toBe(line);
  });
});

const HOSTILE = [
  '[x](https://evil.com) ![x](https://evil.com/x.png) <https://evil.com> <a@evil.com>',
  '//evil.com/path https&colon;//evil.com https&#58;//evil.com htt<!-- -->ps://evil.com',
  'www.evil.com evil.com evil.com/path evil.co.uk:80/x a@evil.com mailto:a@evil.com 192.0.2.1/x',
  '<img src=x onerror=alert(1)> <h1>x</h1> <script>alert(1)</script> <a href="//evil.com">x</a>',
  '# a heading\n\n## another\n\nx\n===\n\n- [ ] x\n\n[x]: //evil.com\n\n[x] [@alpha] [^1]\n\n[^1]: //evil.com',
  '\u001b]8;;https://evil.com\u0007x\u001b]8;;\u0007 \u009b31m \u202ehttps://evil.com\u202c h\u200bttps://evil.com',
  '`https://evil.com` ``www.evil.com `a@evil.com` *https://evil.com* _www.evil.com_ ~a@evil.com~',
  '| a | b |\n| - | - |\n| //evil.com | www.evil.com |',
];

/** The report of a run in which everything that comes from outside says this. */
function reportOf(told: string, citationStyle: 'numbered' | 'url' = 'numbered'): string {
  return assembledFrom(told, citationStyle).markdown;
}

function assembledFrom(told: string, citationStyle: 'numbered' | 'url'): ReturnType<typeof assembleReport> {
  const run = completeRun();
  const sources = (run.catalogue?.sources ?? []).map((source) => ({
    ...source,
    title: told,
    author: `${told}; ${told}`,
    site: told,
    publishedAt: told,
    accessedAt: told,
    quality: { level: 'general' as const, reason: told },
    work: { id: 'work', title: told },
  }));
  const sectionOf = (id: string): { id: string; title: string; description: string; subsections: [] } => ({
    id,
    title: told,
    description: told,
    subsections: [],
  });
  const findings = run.findings.map(({ sectionId, findings: list }) => ({
    sectionId,
    findings: list.map((finding, at) => ({
      ...finding,
      claim: told,
      // The first is quoted, the others are told in other words.
      evidence: finding.evidence.map((item) => ({
        ...item,
        quote: at === 0 ? told : `${item.quote} ${told}`,
      })),
    })),
  }));
  const conflicts = run.conflicts.map((conflict) => ({
    ...conflict,
    topic: told,
    reason: told,
    viewpoints: conflict.viewpoints.map((view) => ({ ...view, statement: told })),
  }));
  const sourcesOfStep = sources.map(({ id, ...source }) => ({ sourceId: id, ...source }));
  const byModel = draftByModel(`### ${told}\n\n${told.replace(/\s+/g, ' ')} [S1].`, sources[0]?.id ?? '');
  const aside: SetAsideClaim = {
    text: told,
    sourceIds: ['delta'],
    verdict: 'unsupported',
    code: 'critic',
    reason: told,
    evidence: { ...evidence('delta', TEXTS.delta ?? ''), quote: told },
    probability: null,
    betterSourceId: 'alpha',
    action: 'left-out',
  };
  const [first] = findings;
  const parts: ReportParts = {
    ...run,
    question: told,
    synthesis: SynthesisSettings.parse({ citationStyle }),
    shortfalls: [told],
    catalogue: { sources, counts: { sentences: 0, holders: {} }, merged: [] },
    outline: run.outline && {
      ...run.outline,
      overallTheme: told,
      sections: run.outline.sections.map((section) => ({ ...section, title: told })),
    },
    findings,
    conflicts,
    gaps: [{ question: told, reason: told }],
    drafts: [
      {
        sectionId: 'section-1',
        draft: writeSectionExtractively({
          question: told,
          section: sectionOf('section-1'),
          findings: first?.findings ?? [],
          conflicts,
          sources: sourcesOfStep,
          targetWords: 500,
        }),
      },
      ...(byModel.claims.length > 0
        ? [{ sectionId: 'section-2', draft: { ...byModel, checked: { setAside: [aside] } } }]
        : []),
    ],
    frame: { title: told, bullets: [byModel.claims[0]?.text ?? 'Nothing.'], followUpQuestions: [told] },
  };
  return assembleReport(parts);
}

/** What is read of a model's Markdown that cites one source. */
function draftByModel(written: string, sourceId: string): SectionDraft {
  const { markdown } = cleanMarkdown(written, (name) => (name === 'S1' ? sourceId : undefined));
  const claims = statementsOf({ id: 'p', title: 'p', markdown })
    .filter(({ sourceIds }) => sourceIds.length > 0)
    .map(({ text }) => ({ text, findingIds: [], confidence: 0.5 }));
  return { markdown, claims };
}

const OWN_LINKS = new Set(
  ['alpha', 'beta', 'gamma', 'delta'].map((id) => citationUrl(`https://example.org/${id}`)),
);
const TAGS = ['a', 'blockquote', 'code', 'h1', 'h2', 'h3', 'li', 'ol', 'p', 'strong', 'ul'];

function expectHarmless(told: string, style: 'numbered' | 'url'): void {
  const markdown = reportOf(told, style);
  expect(stripUnsafe(markdown)).toBe(markdown);
  // A heading of a model's stays where the section is a model's; there is at most one of these.
  const most = pageOf(RENDERERS.CommonMark?.(reportOf('Plain words', style)) ?? '').headings.length + 1;
  for (const [renderer, render] of Object.entries(RENDERERS)) {
    const { tags, links, headings } = pageOf(render(markdown));
    // Marked takes the bracket behind an address for a part of it; the form is document 002's.
    const led = links.map((link) => (renderer === 'marked' ? link.replace(/%5D$/, '') : link));
    expect({ renderer, links: led.filter((link) => !OWN_LINKS.has(link)) }).toEqual({
      renderer,
      links: [],
    });
    expect({ renderer, tags: tags.filter((tag) => !TAGS.includes(tag)) }).toEqual({ renderer, tags: [] });
    expect(headings.length).toBeLessThanOrEqual(most);
  }
  expect(activeNodes(markdown).filter(({ type, url }) => type !== 'link' || !OWN_LINKS.has(url))).toEqual([]);
}

describe('a report over texts that would be links, images, headings or HTML', () => {
  it('has the links to its own sources, as every renderer shows it', () => {
    for (const render of Object.values(RENDERERS))
      expect(pageOf(render(reportOf('Plain words'))).links.length).toBeGreaterThanOrEqual(2);
  });

  it.each(
    HOSTILE.flatMap(
      (told) =>
        [
          [told, 'numbered'],
          [told, 'url'],
        ] as const,
    ),
  )('shows %j and does nothing else, cited %s', (told, style) => expectHarmless(told, style));

  it.each(HOSTILE)('has nothing unseen in its JSON but in quotes: %j', (told) => {
    const { report } = assembledFrom(told, 'numbered');
    const unseen: string[] = [];
    const quotes: string[] = [];
    JSON.stringify(report, (key, value: unknown) => {
      if (key === 'quote' && typeof value === 'string') quotes.push(value);
      else if (typeof value === 'string' && stripUnsafe(value) !== value) unseen.push(`${key}: ${value}`);
      return value;
    });
    expect(unseen).toEqual([]);
    expect(quotes.some((quote) => quote.includes(told))).toBe(true);
  });

  it('does so for whatever is made of them', () => {
    const part = fc.constantFrom(
      ...HOSTILE.flatMap((told) => told.split(/(?<=[\s/:@.&;<>[\]`])/)),
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) =>
        expectHarmless(`x${parts.join('')}`, 'numbered'),
      ),
      { seed: 3, numRuns: 40 },
    );
  });
});
