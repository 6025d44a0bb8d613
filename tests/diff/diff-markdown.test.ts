import { diffMarkdown } from '../../src/diff/diff-markdown';
import { diffTold, type Told } from './told-report';

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

test('what changed stands before → after, with the counts at the top', () => {
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

test('of a long sentence only what differs is shown', () => {
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

test('findings that only moved stand together', () => {
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

test('two reports that say the same get a sentence', () => {
  expect(text(before, { ...before, id: 'april', findings: [...before.findings].reverse() })).toMatch(
    /^# What changed from `march` to `april`\n\nNothing differs: .*\n\n- Sources: 0 changed, 0 came, 0 went, 1 as they were\n- Findings: 0 new, .* 2 unchanged\n/,
  );
});

test('nothing that a source wrote becomes a link, an image, a heading or an escape', () => {
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
