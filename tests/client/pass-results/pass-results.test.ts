import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { SectionFindings } from '../../../src/contracts/report/finding';
import { passDocument } from '../../../src/client/pass-results/pass-document';
import { passMarkdown } from '../../../src/client/pass-results/pass-markdown';
import type { PassResult, PassSurroundings } from '../../../src/client/pass-results/pass-results';
import { completeRun } from '../../core/report/report-fixture';

const parts = completeRun();
if (parts.catalogue === null || parts.outline === null) throw new Error('the fixture is complete');
const { catalogue } = parts;
const [walking, swimming] = parts.outline.sections;
if (walking === undefined || swimming === undefined) throw new Error('the fixture has two sections');
const outline = {
  ...parts.outline,
  sections: [
    { ...walking, subsections: [{ title: 'Daily walks', sourceIds: ['beta'] }] },
    { ...swimming, relevantSources: [{ sourceId: 'delta', relevance: 0.55 }] },
  ],
};
const surroundings: PassSurroundings = { catalogue, outline };
const found: SectionFindings[] = parts.findings.map(({ sectionId, findings }, index) => ({
  sectionId,
  findings,
  readInFull: index === 0 ? ['alpha', 'beta'] : ['delta'],
  readBySummary: index === 0 ? ['gamma'] : [],
  retrievals: { requested: 3, found: 3, missing: 0, chars: 150 },
}));
const LEFT: PassResult[] = [
  { pass: 'gather', result: catalogue },
  { pass: 'overview', result: outline },
  { pass: 'deep-dive', result: found },
  {
    pass: 'cross-reference',
    result: { sections: parts.findings, conflicts: parts.conflicts, gaps: parts.gaps, readInFull: [] },
  },
];
const left = (pass: PassResult['pass']): PassResult => {
  const result = LEFT.find((one) => one.pass === pass);
  if (result === undefined) throw new Error(`nothing of ${pass}`);
  return result;
};
const shown = (pass: PassResult['pass'], about = surroundings): string => passMarkdown(left(pass), about);

test('the overview names theme, sections and their sources, by relevance and under their subsections', () => {
  const markdown = shown('overview');
  expect(markdown).toContain('Five sources report on walking and swimming.');
  expect(markdown).toMatch(
    /## 1\. Walking and blood pressure\n\nAbout Walking and blood pressure\.\n\n3 relevant sources:\n\n### Daily walks\n\n- 0\.90 highly relevant: Beta 2011, “On beta” `beta`\n\n### Other sources\n\n- 0\.90 highly relevant: Alpha 2011, “On alpha” `alpha`\n- 0\.90 .*gamma/,
  );
  expect(markdown).toMatch(
    /## 2\. Swimming\n\n.*\n\n1 relevant source:\n\n- 0\.55 somewhat relevant: .*“On delta” `delta`/,
  );
});

test('the deep dive gives claims with confidence, quotes with titles, and how sources were read', () => {
  const markdown = shown('deep-dive');
  expect(markdown).toContain('3 findings in 2 sections, from 3 sources read in full and 1 by their summary.');
  expect(markdown).toContain(
    '1. “Walking lowered systolic pressure by 4 mmHg” — High confidence (0.85)\n' +
      '   - Alpha 2011, “On alpha”\n' +
      '   - Beta 2011, “On beta”: “Daily walks lowered systolic pressure by 5 mmHg”\n' +
      '2. “Walking did not change systolic pressure” — Low confidence (0.60)\n' +
      '   - Gamma 2011, “On gamma”\n',
  );
  expect(markdown).toMatch(
    /Read in full, by what they gave:\n\n- Alpha 2011, “On alpha” — 1 finding \(0\.\d\d\)\n- Beta 2011, “On beta” — 1 finding \(0\.\d\d\)\n\nRead by their summary:\n\n- Gamma 2011/,
  );
  expect(markdown).not.toContain('Not every section');
});

test('a deep dive that was not finished says what it lacks', () => {
  const half: PassResult = { pass: 'deep-dive', result: found.slice(0, 1) };
  expect(passMarkdown(half, surroundings)).toContain(
    'Not every section is done. Nothing is there of: Swimming.',
  );
  expect(passDocument('r', half, surroundings).complete).toBe(false);
});

test('the cross-reference gives conflicts with all sides, what follows and why, then gaps and findings', () => {
  const markdown = shown('cross-reference');
  expect(markdown).toContain(
    '3 validated findings, 1 of High, 1 of Medium and 1 of Low confidence; 1 conflict, 1 gap.',
  );
  expect(markdown).toMatch(
    /### Conflict 1: walking and systolic pressure\n\n[^\n]+:\n\n1\. “Walking lowered [^\n]*\n {3}- Alpha 2011, “On alpha”\n {3}- Beta 2011, “On beta”: “Daily[^\n]*\n2\. “Walking did not[^\n]*\n {3}- Gamma 2011, “On gamma”\n\nResolution: both views are presented\. One side reports a decrease, the other no change\./,
  );
  expect(markdown).toMatch(
    /## Gaps\n\n- \*\*How long does the effect of walking last\?\*\* No source followed/,
  );
  expect(markdown).toMatch(/## Findings\n\n### 1\. Walking and blood pressure\n\n1\. “Walking lowered/);
});

test('the sources that were gathered stand with rating and address', () => {
  const markdown = shown('gather');
  expect(markdown).toContain('5 sources, 5 of them authoritative, 0 near-duplicates, 1 merged');
  expect(markdown).toMatch(
    /- Alpha 2011, “On alpha” `alpha` · Journal of Walks, 2011 · `https:\/\/example\.org\/alpha` · \d+ characters · authoritative: a journal/,
  );
  expect(markdown).toContain('- `copy` is Alpha 2011, “On alpha” `alpha`');
});

test('for programs every id can be looked up in the same document', () => {
  for (const one of LEFT) {
    const document = passDocument('run-1', one, surroundings);
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({
      id: 'run-1',
      pass: { number: LEFT.indexOf(one), name: one.pass },
      complete: true,
      result: JSON.parse(JSON.stringify(one.result)) as Record<string, unknown>,
      sections: { 'section-1': 'Walking and blood pressure', 'section-2': 'Swimming' },
      sources: {
        alpha: { title: 'On alpha', url: 'https://example.org/alpha' },
        unused: { title: 'On unused' },
      },
    });
  }
});

const OWN_KINDS = ['root', 'heading', 'paragraph', 'text', 'list', 'listItem', 'inlineCode', 'strong'];
const parser = unified().use(remarkParse).use(remarkGfm);

function kindsIn(markdown: string): string[] {
  const kinds = new Set<string>();
  visit(parser.parse(markdown), ({ type }) => {
    kinds.add(type);
  });
  return [...kinds];
}

const HOSTILE = '# <img src=x> [click](http://evil.example) \u001b[2J\u202e`x`\n\n- **a**';

test('nothing that a source or a model wrote is active as Markdown or in a terminal', () => {
  const strings = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strings);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        typeof inner === 'string' &&
        /^(?:title|description|claim|quote|statement|reason|question|topic|overallTheme|author|site|url)$/.test(
          key,
        )
          ? [key, HOSTILE]
          : [key, strings(inner)],
      ),
    );
  };
  const about = strings(surroundings) as PassSurroundings;
  for (const one of LEFT) {
    const markdown = passMarkdown({ pass: one.pass, result: strings(one.result) } as PassResult, about);
    expect(markdown).not.toMatch(/[\u001b\u202e]/);
    expect(kindsIn(markdown).filter((kind) => !OWN_KINDS.includes(kind))).toEqual([]);
    // What stands in bold is a gap's question alone.
    expect(kindsIn(markdown).includes('strong')).toBe(one.pass === 'cross-reference');
    expect(markdown.match(/^# /gm)).toHaveLength(1);
  }
});

test('a source that the catalogue does not have goes by its id', () => {
  expect(passMarkdown(left('deep-dive'), { catalogue: null, outline: null })).toMatch(
    /## section-1[^]*- `alpha`/,
  );
});
