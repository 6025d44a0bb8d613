import { ReportDiff } from '../../../src/contracts/report';
import { assembleReport } from '../../../src/report/assemble-report';
import { sinceMarkdown } from '../../../src/report/attribution';
import { diffMarkdown } from '../../../src/report/diff/diff-markdown';
import { diffReports } from '../../../src/report/diff/diff-reports';
import { sinceLast } from '../../../src/report/diff/since-last';
import { auditedRun } from '../audited-run';
import { diffTold, type Told } from './told-report';

describe('diffMarkdown', () => {
  const PRESSURE =
    'Walking lowered systolic pressure by 4 mmHg in the group that walked every morning before breakfast (p = 0.01).';

  const MOOD = 'Mood did not differ.';

  const before: Told = {
    id: 'march',
    sources: {
      alpha: { content: `${PRESSURE} ${MOOD}`, title: 'On walks', author: 'Doe Jane; Roe Max; Poe Eva' },
    },
    findings: [{ quotes: [['alpha', PRESSURE]] }, { quotes: [['alpha', MOOD]], confidence: 0.6 }],
    gaps: ['What does it cost?'],
  };

  function text(one: Told, other: Told): string {
    return diffMarkdown(diffTold(one, other));
  }

  test('shows counts, then each change as before → after', () => {
    const corrected = PRESSURE.replace('4 mmHg', '7 mmHg').replace('0.01', '0.04');
    const after: Told = {
      ...before,
      id: 'april',
      sources: { alpha: { ...before.sources.alpha, content: corrected } },
      findings: [{ quotes: [['alpha', corrected]], confidence: 0.86 }],
      gaps: [],
    };
    expect(text(before, after)).toBe(
      `# What changed from \`march\` to \`april\`

- Sources: 1 changed, 0 came, 0 went, 0 as they were
- Findings: 0 new, 0 newly quoted, 1 changed, 0 not quoted any more, 1 withdrawn, 0 unchanged
- Conflicts: 0 opened, 0 closed, 0 changed, 0 unchanged
- Gaps: 0 opened, 1 closed, 0 unchanged
- Citations: 0 sources newly cited, 0 no longer cited, 1 in both

## Sources that changed (1)

- Doe and colleagues (2011), “On walks”

## Changed findings (1)

- “${corrected.slice(0, -1)}”
  — Doe and colleagues (2011), “On walks”
  - Figures: 4 mmHg → 7 mmHg; p = 0.01 → p = 0.04
  - Confidence: Medium (0.75) → High (0.86)

## Withdrawn findings (1)

- “Mood did not differ”
  — Doe and colleagues (2011), “On walks”; Low confidence (0.60)

## Gaps closed (1)

- What does it cost?
`,
    );
  });

  test('shows only the differing part of a long sentence', () => {
    const longer = PRESSURE.replace('every morning', 'three evenings a week');
    const after: Told = {
      ...before,
      sources: { alpha: { ...before.sources.alpha, content: `${longer} ${MOOD}` } },
      findings: [{ quotes: [['alpha', longer]] }, { quotes: [['alpha', MOOD]], confidence: 0.6 }],
    };
    expect(text(before, after)).toContain(
      '  - Quote: “… mmHg in the group that walked every morning before breakfast (p = 0.01)” → “',
    );
  });

  test('groups findings that only moved', () => {
    const inSection = (section: string, second: string): Told => ({
      ...before,
      findings: [
        { quotes: [['alpha', PRESSURE]], section },
        { quotes: [['alpha', MOOD]], section: second },
      ],
    });
    const found = text(inSection('Heart', 'Mind'), inSection('Heart', 'Heart'));
    expect(found).toContain('1 changed (1 only moved)');
    expect(found).toMatch(
      /only moved to another section \(1\)\n\n- From “Mind” to “Heart”:\n {2}- “Mood did not differ”/,
    );
    expect(found).toMatch(/## Sections \(1\)\n\n- Gone: “Mind”/);
  });

  test('says that nothing differs', () => {
    expect(text(before, { ...before, id: 'april', findings: [...before.findings].reverse() })).toMatch(
      /^# What changed from `march` to `april`\n\nNothing differs: .*\n\n- Sources: 0 changed, 0 came, 0 went, 1 as they were\n- Findings: 0 new, .* 2 unchanged\n/,
    );
  });

  test('escapes text of sources', () => {
    const hostile = (word: string): string =>
      `# ![${word}](https://evil.example/i.png) \u001b]8;;http://evil.example\u0007see\u001b[31m <img src=x> lowered it by 4 % \u202e`;
    const told = (word: string): Told => ({
      id: word,
      question: hostile(word),
      sources: { alpha: { content: hostile(word), title: hostile(word), author: hostile(word) } },
      findings: [{ quotes: [['alpha', hostile(word)]], section: hostile(word) }],
      conflicts: [{ topic: hostile(word), views: [[['alpha', hostile(word)]], [['alpha', hostile(word)]]] }],
      gaps: [hostile(word)],
    });
    for (const found of [
      text(told('one'), told('two')),
      text(told('one'), { ...told('one'), findings: [], sources: {}, conflicts: [] }),
    ]) {
      expect(found).toContain('lowered it by 4 %');
      expect(found).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(found).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)<img|(?<!`)https?:\/\//);
      expect(found.split('\n').filter((line) => line.startsWith('#') && line.includes('evil'))).toEqual([]);
    }
  });
});

describe('claims that were set aside', () => {
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

  test('are newly set aside or no longer set aside', () => {
    const diff = diffReports(trusting, audited);
    expect(ReportDiff.parse(diff)).toEqual(diff);
    expect(diff.summary.setAside).toEqual({ newly: 2, noLonger: 0, inBoth: 1 });
    expect(diff.setAside.newly[0]).toMatchObject({
      id: 'A2',
      verdict: 'contradicted',
      action: 'left-out',
      section: 'Swimming',
      stands: trusting.claims.find(({ text }) => text.includes('31%'))?.id,
    });
    expect(diff.setAside.newly[1]).toMatchObject({ id: 'A3', stands: null });
    const back = diffReports(audited, trusting);
    expect(back.summary.setAside).toEqual({ newly: 0, noLonger: 2, inBoth: 1 });
    expect(back.setAside.noLonger).toEqual(diff.setAside.newly);
  });

  test('are listed in the Markdown', () => {
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

  test('are not repeated in the chapter on changes', () => {
    const told = sinceMarkdown(sinceLast(diffReports(trusting, audited)));
    expect(told).toContain('**Set aside now**: one sentence in “Swimming”, contradicted');
    expect(told).not.toMatch(/raised aerobic capacity by 31%|as long/);
  });

  test('do not differ in two equal reports', () => {
    const text = diffMarkdown(diffReports(audited, audited));
    expect(text).toContain('Nothing differs');
    expect(text).toContain('- Claims set aside: 0 newly, 0 no longer, 3 in both');
  });

  test('a claim with another verdict is a changed finding', () => {
    const open = assembleReport(auditedRun('mark', true)).report;
    const changes = diffReports(open, audited).findings.changed.flatMap((finding) => finding.changes);
    expect(changes).toContainEqual({ kind: 'verdict', before: 'unchecked', after: 'supported' });
  });
});
