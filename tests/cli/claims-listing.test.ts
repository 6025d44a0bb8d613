import { listClaims } from '../../src/cli/results/claims-listing';
import { claimsText } from '../../src/cli/results/claims-text';
import { Report } from '../../src/contracts/report/report';
import { assembleReport } from '../../src/core/report/assemble-report';
import { auditedRun } from '../core/report/audited-run';
import { completeRun } from '../core/report/report-fixture';

const PLAIN = { width: Number.POSITIVE_INFINITY, emphasise: (text: string): string => text };
const HOSTILE =
  '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u009b2J\u202egnp\u200b\nnext';

test('the worst come first, and what does not stand is among them', () => {
  const { report } = assembleReport(auditedRun('mark', true));
  const { audit, claims } = listClaims(report);
  expect(claims.map(({ id, verdict, setAside }) => [verdict, id, setAside])).toEqual([
    ['contradicted', 'A2', 'replaced'],
    ['unsupported', 'A1', 'left-out'],
    ['unsupported', 'A3', 'left-out'],
    ['unchecked', 'claim-4', null],
    ['supported', 'claim-1', null],
    ['supported', 'claim-2', null],
    ['supported', 'claim-3', null],
  ]);
  expect(claims).toHaveLength(audit.claims);
  expect(claims[0]).toMatchObject({
    section: { id: 'section-2', title: 'Swimming' },
    citations: [4],
    code: 'number-exchanged',
    evidence: [{ n: 4, sourceId: 'delta', start: 0 }],
  });
  expect(claims[2]?.better).toEqual({ n: 1, sourceId: 'alpha' });
  expect(claims[1]?.section.title).toBe('Executive Summary');
});

test('each is told with its verdict, why, its section, what it cites and the passage', () => {
  const text = claimsText(listClaims(assembleReport(auditedRun()).report), PLAIN);
  expect(text.slice(0, 7)).toEqual([
    '7 claims · 4 of 7 supported · 1 of 7 contradicted · 2 of 7 unsupported',
    '',
    'contradicted · A2 · Swimming · set aside, replaced by the words of its finding',
    '  Swimming raised aerobic capacity by 31% in 40 adults.',
    '  Why: it says 31%; what it cites says 11%.',
    '  Cites: [4]',
    '  Passage: “Swimming raised aerobic capacity by 11% in 40 adults.” [4], characters 0–53',
  ]);
  expect(text.filter((line) => /^ {2}What bears it better: \[1\]$/.test(line))).toHaveLength(2);
  expect(text).toContain('  It raised aerobic capacity by 11% [4].');
  expect(claimsText(listClaims(assembleReport(auditedRun()).report), { ...PLAIN, width: 40 })).toContain(
    '  Swimming raised aerobic capacity by',
  );
});

test('the passage of a source that the report does not list is told by the id of its source', () => {
  const run = auditedRun('remove');
  const { draft } = run.drafts[1] ?? {};
  for (const claim of draft?.checked?.setAside ?? [])
    claim.evidence = { sourceId: 'unused', quote: 'Nothing.', start: 3, end: 11 };
  const listing = listClaims(assembleReport(run).report);
  expect(listing.claims[0]?.evidence).toEqual([
    { n: null, sourceId: 'unused', quote: 'Nothing.', start: 3, end: 11 },
  ]);
  expect(claimsText(listing, PLAIN)).toContain('  Passage: “Nothing.” unused, characters 3–11');
});

test('nothing in it is obeyed by a terminal', () => {
  const { report } = assembleReport(auditedRun());
  const hostile = <Item extends object>(item: Item): Item => ({ ...item, text: HOSTILE, reason: HOSTILE });
  const lines = claimsText(
    listClaims({
      ...report,
      sections: report.sections.map((section) => ({ ...section, title: HOSTILE })),
      claims: report.claims.map((claim) => ({
        ...hostile(claim),
        evidence: claim.evidence.map((place) => ({ ...place, quote: HOSTILE })),
      })),
      setAside: report.setAside.map(hostile),
    }),
    PLAIN,
  );
  expect(lines.join('')).toContain('gnp next');
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
});

test('claims of a report of an earlier release are listed', () => {
  const { setAside: _setAside, ...now } = assembleReport(completeRun()).report;
  const claims = now.claims.map(({ code: _code, probability: _probability, ...claim }) => claim);
  const listing = listClaims(Report.parse(JSON.parse(JSON.stringify({ ...now, claims }))));
  expect(listing.claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported', 'supported']);
  expect(claimsText(listing, PLAIN)).toContain('supported · claim-3 · Swimming');
});
