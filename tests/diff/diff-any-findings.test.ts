import fc from 'fast-check';
import type { Report } from '../../src/contracts/report/report';
import type { ReportDiff } from '../../src/contracts/report/report-diff';
import { diffReports } from '../../src/diff/diff-reports';
import { toldReport, type Told, type ToldFinding } from './told-report';

describe('subsets and orders of findings', () => {
  const outcomes = [
    'systolic pressure',
    'body weight',
    'sleep latency',
    'knee pain',
    'heart rate',
    'insulin',
  ];
  const sources: Told['sources'] = {};
  const pool: ToldFinding[] = outcomes.flatMap((outcome, index) =>
    ['one', 'two'].map((name, which): ToldFinding => {
      const id = `${name}${index % 3}`;
      const quote = `${which === 0 ? 'Walking' : 'Swimming'} lowered ${outcome} by ${index + 3} % compared with placebo.`;
      sources[id] = { content: `${sources[id]?.content ?? ''} ${quote}` };
      return { quotes: [[id, quote]], section: outcome, confidence: 0.6 + index / 20 };
    }),
  );
  const told = (findings: ToldFinding[]): Report => toldReport({ sources, findings });
  const statements = (findings: readonly ToldFinding[]): string[] =>
    findings.map(({ quotes }) => quotes[0]?.[1] ?? '');
  const chosen = fc.shuffledSubarray(pool, { minLength: 1 });

  test('differ by exactly what the one has and the other has not, however they are numbered and framed', () => {
    fc.assert(
      fc.property(chosen, chosen, (before, after) => {
        const { findings, summary } = diffReports(told(before), told(after));
        const only = (some: ToldFinding[], others: ToldFinding[]): string[] =>
          statements(some.filter((finding) => !others.includes(finding))).sort();
        expect(findings.newlyQuoted.map(({ statement }) => statement).sort()).toEqual(only(after, before));
        expect(findings.notQuoted.map(({ statement }) => statement).sort()).toEqual(only(before, after));
        expect(findings.changed).toEqual([]);
        expect(summary.findings.unchanged).toBe(before.filter((finding) => after.includes(finding)).length);
      }),
      { numRuns: 60 },
    );
  });

  test('are the same difference seen from either side, with findings that agree, repeat and were corrected', () => {
    const versions: ToldFinding[] = [
      ...pool,
      ...pool.map((finding): ToldFinding => {
        const [source, quote] = finding.quotes[0] ?? ['', ''];
        const corrected = quote.replace(/\d+ %/, '44 %');
        sources[source] = { ...sources[source], content: `${sources[source]?.content ?? ''} ${corrected}` };
        return { ...finding, quotes: [[source, corrected]] };
      }),
      ...pool.slice(1).map((finding, index): ToldFinding => ({
        ...finding,
        quotes: [...finding.quotes, ...(pool[index]?.quotes ?? [])],
      })),
    ];
    const some = fc.shuffledSubarray(versions, { minLength: 1 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        const there = diffReports(told(before), told(after));
        const back = diffReports(told(after), told(before));
        expect(there.findings.newlyQuoted).toEqual(back.findings.notQuoted);
        expect(there.findings.notQuoted).toEqual(back.findings.newlyQuoted);
        const pairs = (found: ReportDiff, [from, to]: ['before', 'after'] | ['after', 'before']): string[] =>
          found.findings.changed.map((changed) => `${changed[from].claimId} ${changed[to].claimId}`).sort();
        expect(pairs(there, ['before', 'after'])).toEqual(pairs(back, ['after', 'before']));
        expect(there.summary.findings.unchanged).toBe(back.summary.findings.unchanged);
        expect(there.sources.newlyCited).toEqual(back.sources.noLongerCited);
      }),
      { numRuns: 60 },
    );
  });
});
