import { ReportDiff } from '../../src/contracts/report/report-diff';
import { diffReports } from '../../src/diff/diff-reports';
import { assembleReport } from '../../src/core/report/assemble-report';
import { completeRun } from '../core/report/report-fixture';
import { toldReport, type Told } from './told-report';
import { alpha, diff, MOOD, onlyChange, PRESSURE, SLEEP, withAlpha } from './walking-reports';

test('a report does not differ from itself', () => {
  const { report } = assembleReport(completeRun());
  const sources = completeRun().catalogue?.sources ?? [];
  const found = ReportDiff.parse(diffReports(report, report, { before: sources, after: sources }));
  expect(found.findings).toEqual({ new: [], newlyQuoted: [], changed: [], notQuoted: [], withdrawn: [] });
  expect(found.conflicts).toEqual({ opened: [], closed: [], changed: [] });
  expect(found.gaps).toEqual({ opened: [], closed: [] });
  const read = { changed: [], came: [], went: [] };
  expect(found.sources).toEqual({ read, newlyCited: [], noLongerCited: [] });
  expect(found.sections).toEqual({ added: [], removed: [], renamed: [] });
  expect(found.summary.findings.unchanged).toBe(report.claims.length);
  expect(found.notes).toEqual([]);
});

test('what is quoted in one report alone is neither new nor withdrawn where its source did not change', () => {
  const found = diff(alpha, {
    ...alpha,
    findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['alpha', MOOD]], confidence: 0.9 }],
  });
  expect(found.findings.changed).toEqual([]);
  expect(found.findings).toMatchObject({ new: [], withdrawn: [] });
  const mood = { statement: MOOD, verbatim: true, confidence: 0.9, section: 'Walking' };
  expect(found.findings.newlyQuoted).toMatchObject([{ ...mood, sources: [{ title: 'On alpha' }] }]);
  expect(found.findings.notQuoted).toMatchObject([{ statement: SLEEP }]);
  expect(found.summary).toMatchObject({
    findings: { new: 0, newlyQuoted: 1, notQuoted: 1, withdrawn: 0 },
    sources: { read: { changed: 0, came: 0, went: 0, unchanged: 1 } },
  });
});

test('a finding is new with a source that came, and withdrawn with one that went or was changed', () => {
  const rest = { content: 'Same.' };
  const before: Told = {
    sources: { alpha: { content: `${PRESSURE} ${MOOD}` }, beta: { content: SLEEP }, rest },
    findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['beta', SLEEP]] }],
  };
  const after: Told = {
    sources: { alpha: { content: MOOD }, gamma: { content: 'Walkers ate more.' }, rest },
    findings: [{ quotes: [['gamma', 'Walkers ate more.']] }],
  };
  const found = diff(before, after);
  expect(found.sources.read).toMatchObject({
    changed: [{ title: 'On alpha' }],
    came: [{ title: 'On gamma' }],
    went: [{ title: 'On beta' }],
  });
  expect(found.summary.sources.read).toEqual({ changed: 1, came: 1, went: 1, unchanged: 1 });
  expect(found.findings).toMatchObject({
    new: [{ statement: 'Walkers ate more.' }],
    newlyQuoted: [],
    notQuoted: [],
    withdrawn: [{ statement: PRESSURE }, { statement: SLEEP }],
  });
});

test('where it is not known what was read, nothing is called withdrawn, and a note says so', () => {
  const found = ReportDiff.parse(diffReports(toldReport(alpha), toldReport({ ...alpha, findings: [] })));
  expect(found.findings).toMatchObject({ withdrawn: [], notQuoted: [{}, {}] });
  expect(found.sources.read).toBeNull();
  expect(found.notes).toEqual([expect.stringMatching(/What the two runs have read is not known/)]);
});

test('another outcome of the same source is another finding', () => {
  const other = PRESSURE.replace('systolic pressure', 'body weight').replace('mmHg', 'kg');
  const content = `${PRESSURE} ${'Nothing of note was said here. '.repeat(5)}${other}`;
  const found = diff(withAlpha(content, PRESSURE), withAlpha(content, other));
  expect(found.findings).toMatchObject({
    newlyQuoted: [{ statement: other }],
    changed: [],
    notQuoted: [{ statement: PRESSURE }],
  });
});

test('a longer excerpt of the same sentence is the same finding', () => {
  const clause = SLEEP.replace('.', ' in a trial of twelve weeks.');
  const content = `${PRESSURE} ${clause}`;
  const found = diff(withAlpha(content, SLEEP.replace('.', '')), withAlpha(content, clause));
  expect(onlyChange(found)).toContainEqual(expect.objectContaining({ kind: 'quote', after: clause }));
});

test('the same page under another address form and id is the same source', () => {
  const at = (id: string, url: string): Told => ({
    sources: { [id]: { content: PRESSURE, url } },
    findings: [{ quotes: [[id, PRESSURE]] }],
  });
  const found = diff(at('s1', 'http://www.example.org/a/?utm_source=x'), at('s2', 'https://example.org/a'));
  expect(found.summary).toMatchObject({
    findings: { new: 0, changed: 0, withdrawn: 0, unchanged: 1 },
    sources: { newlyCited: 0, noLongerCited: 0, inBoth: 1 },
  });
});

test('ids that were only counted out do not make one source of two', () => {
  const first = (title: string, url: string): Told => ({
    sources: { 1: { content: PRESSURE, title, url } },
    findings: [{ quotes: [['1', PRESSURE]] }],
  });
  const hiking = first('On hiking', 'https://example.org/b');
  const found = diff(first('On walking', 'https://example.org/a'), hiking);
  expect(found.sources).toMatchObject({
    newlyCited: [{ title: 'On hiking' }],
    noLongerCited: [{ title: 'On walking' }],
  });
  expect(onlyChange(found)).toMatchObject([
    { kind: 'sources', added: [{ title: 'On hiking' }], removed: [{ title: 'On walking' }] },
  ]);
});

test('a lost source is told with what it does to the confidence', () => {
  const beta: [string, string] = ['beta', 'Daily walks lowered systolic pressure by 5 mmHg.'];
  const sources = { alpha: { content: PRESSURE }, beta: { content: beta[1] } };
  const before: Told = { sources, findings: [{ quotes: [['alpha', PRESSURE], beta], confidence: 0.85 }] };
  const after: Told = { sources, findings: [{ quotes: [['alpha', PRESSURE]], confidence: 0.75 }] };
  const found = diff(before, after);
  expect(onlyChange(found)).toEqual([
    { kind: 'confidence', before: { value: 0.85, word: 'High' }, after: { value: 0.75, word: 'Medium' } },
    { kind: 'sources', added: [], removed: [expect.objectContaining({ title: 'On beta' })] },
  ]);
  expect(found.sources.noLongerCited).toMatchObject([{ title: 'On beta' }]);

  const apart = diff(before, { sources, findings: [...after.findings, { quotes: [beta] }] });
  expect(apart.findings.newlyQuoted).toMatchObject([{ statement: beta[1], partOf: PRESSURE }]);
});

test('a finding that moved is told; one whose section has another title is not', () => {
  const inSections = (...sections: string[]): Told => ({
    ...alpha,
    findings: [PRESSURE, SLEEP, MOOD].map((quote, index) => ({
      quotes: [['alpha', quote]],
      section: sections[index] ?? '',
    })),
  });
  const moved = diff(inSections('Heart', 'Heart', 'Mind'), inSections('Heart', 'Mind', 'Mind'));
  expect(onlyChange(moved)).toEqual([{ kind: 'section', before: 'Heart', after: 'Mind' }]);
  expect(moved.sections).toEqual({ added: [], removed: [], renamed: [] });

  const renamed = diff(inSections('Heart', 'Heart', 'Mind'), inSections('Blood', 'Blood', 'Mind'));
  expect(renamed.findings.changed).toEqual([]);
  const blood = { before: 'Heart', after: 'Blood' };
  expect(renamed.sections).toEqual({ added: [], removed: [], renamed: [blood] });
});

test('reports on different questions, and such as ended early, are compared with a note', () => {
  const found = diff(alpha, { ...alpha, id: 'later', question: 'Does hiking help?', status: 'cancelled' });
  expect(found.notes).toEqual([
    expect.stringMatching(/different questions: “Does walking help\?” and “Does hiking help\?”/),
    expect.stringMatching(/later ended as cancelled/),
  ]);
  expect(found.summary.findings.unchanged).toBe(2);
});
