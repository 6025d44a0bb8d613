import { ENGLISH } from '../../src/texts/texts';
import { ReportDiff } from '../../src/contracts/report/report-diff';
import { assembleReport } from '../../src/core/report/assemble-report';
import { diffMarkdown } from '../../src/diff/diff-markdown';
import { diffReports } from '../../src/diff/diff-reports';
import { sinceMarkdown } from '../../src/core/writing/since-text';
import { sinceLast } from '../../src/diff/since/since-last';
import { auditedRun } from '../core/report/audited-run';

const audited = assembleReport({ ...auditedRun(), id: 'audited' }).report;

/** The same report where the claim that is contradicted there stands. */
const trusting = assembleReport(
  ((): ReturnType<typeof auditedRun> => {
    const run = auditedRun();
    const [first, second] = run.drafts;
    if (first === undefined || second === undefined) throw new Error('the fixture has two sections');
    const stands = 'Swimming raised aerobic capacity by 31% in 40 adults [@delta].';
    const draft = { markdown: stands, claims: [{ text: stands, findingIds: ['f3'] }] };
    return { ...run, id: 'trusting', drafts: [first, { ...second, draft }] };
  })(),
).report;

test('a claim that stood before and is set aside now is a change, and the other way round', () => {
  const diff = diffReports(trusting, audited);
  expect(ReportDiff.parse(diff)).toEqual(diff);
  expect(diff.summary.setAside).toEqual({ newly: 2, noLonger: 0, inBoth: 1 });
  expect(diff.setAside.newly[0]).toMatchObject({
    id: 'A2',
    verdict: 'contradicted',
    action: 'replaced',
    section: 'Swimming',
    stands: trusting.claims.find(({ text }) => text.includes('31%'))?.id,
  });
  expect(diff.setAside.newly[1]).toMatchObject({ id: 'A3', stands: null });
  const back = diffReports(audited, trusting);
  expect(back.summary.setAside).toEqual({ newly: 0, noLonger: 2, inBoth: 1 });
  expect(back.setAside.noLonger).toEqual(diff.setAside.newly);
});

test('it reads so', () => {
  const text = diffMarkdown(diffReports(trusting, audited));
  expect(text).toContain('- Claims set aside: 2 newly, 0 no longer, 1 in both\n');
  expect(text).toContain(
    `## Claims newly set aside (2)

- “Swimming raised aerobic capacity by 31% in 40 adults”
  — contradicted, in “Swimming”: it says 31%; what it cites says 11%.
  - It stood before.
`,
  );
  expect(diffMarkdown(diffReports(audited, trusting))).toMatch(
    /## Claims not set aside any more \(2\)[\s\S]*It stands now\./,
  );
});

test('a report that tells of the changes since the one before repeats none of them', () => {
  const told = sinceMarkdown(sinceLast(diffReports(trusting, audited)), ENGLISH);
  expect(told).toContain('**Set aside now**: one sentence in “Swimming”, contradicted');
  expect(told).not.toMatch(/raised aerobic capacity by 31%|as long/);
});

test('between two reports that set aside the same, nothing differs', () => {
  const text = diffMarkdown(diffReports(audited, audited));
  expect(text).toContain('Nothing differs');
  expect(text).toContain('- Claims set aside: 0 newly, 0 no longer, 3 in both');
});

test('a claim of another verdict is a changed finding', () => {
  const open = assembleReport(auditedRun('mark', true)).report;
  const changes = diffReports(open, audited).findings.changed.flatMap((finding) => finding.changes);
  expect(changes).toContainEqual({ kind: 'verdict', before: 'unchecked', after: 'supported' });
});
