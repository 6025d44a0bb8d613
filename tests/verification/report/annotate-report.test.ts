import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { micromark } from 'micromark';
import type { VerifiedClaim, VerifiedReport } from '../../../src/contracts/verification/verified-report';
import { annotateReport, withoutAnnotations } from '../../../src/verification/report/annotate-report';

/** What a report may be made of, and what a mark in the wrong place would break. */
const REPORT = `# A title that ends in a claim [1]

Plain words with **bold ones [1].** And _emphasis that ends._ Then \`code with [1]\` and a [link
over two lines](https://example.org/a_b "title") and an ![image](https://example.org/i.png). A footnote.[^note]

A line that ends hard [2].  
The next, with a character &amp; reference, an escaped \\*star\\* and \\[3\\], and https://example.org/bare.

- An item [1].
  - One below it, **with *both* kinds** [2]
    that goes on. <b>HTML within</b> it.
1. [ ] A task [3].

| claim | source |
| --- | ---: |
| A rose by 5 % [1] | [1] |
| B fell \\| a bar [2] | \`x | y\` |

> Quoted [1],
with a lazy line [2].

\`\`\`md
Code that cites [1].
\`\`\`

    Indented code [2].

<div>
A block of HTML [1].
</div>

Underlined heading [1]
===

[^note]: The footnote's text [2].

[3]: https://example.org/definition "a definition"
`;

function claimAt(end: number, id = 'C1'): VerifiedClaim {
  return {
    id,
    text: 'A claim.',
    line: 1,
    start: 0,
    end,
    heading: null,
    citations: [{ label: '1', sourceId: 'a' }],
    verdict: 'unsupported',
    code: 'number-absent',
    reason: '“5 %” stands in nothing that it cites.',
    evidence: { sourceId: 'a', quote: 'A fell.', start: 0, end: 7 },
    probability: 0.2,
  };
}

const NO_SOURCES = { given: 0, cited: 0, titles: {} };

const NO_VERDICTS = {
  claims: 0,
  supported: 0,
  inference: 0,
  partial: 0,
  contradicted: 0,
  unchecked: 0,
  open: 0,
};

function annotated(
  markdown: string,
  claims: VerifiedClaim[],
  problems: VerifiedReport['problems'] = [],
): string {
  const { length } = claims;
  const audit = { ...NO_VERDICTS, claims: length, unsupported: length, uncited: 2 };
  return annotateReport(markdown, { claims, audit, critic: null, problems, sources: NO_SOURCES });
}

function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

const MARK = '<sup>[C1 unsupported](#verdict-c1)</sup>';
const RENDERED_MARK = / <sup><a href="#verdict-c1">C1 unsupported<\/a><\/sup>/g;

/** The report's own part of an annotated one. */
function body(markdown: string): string {
  return markdown.slice(markdown.indexOf('<!-- colligate verify: end -->\n\n') + 32);
}

const PLACES = Array.from({ length: REPORT.length }, (_unit, at) => at + 1);

test('wherever claims end, their marks change nothing else of what is shown', () => {
  for (let turn = 0; turn < 13; turn += 1) {
    const claims = PLACES.filter((at) => at % 13 === turn).map((end) => claimAt(end));
    expect(rendered(body(annotated(REPORT, claims))).replace(RENDERED_MARK, '')).toBe(rendered(REPORT));
  }
});

test('taking the marks out gives the report back, byte for byte', () => {
  const framed = [`---\ntitle: T\n---\n${REPORT}`, `\ufeff${REPORT}`];
  for (const report of [REPORT, ...framed, REPORT.replaceAll('\n', '\r\n')]) {
    const all = PLACES.filter((at) => at % 7 === 0).map((end, at) => claimAt(end, `C${at + 1}`));
    expect(withoutAnnotations(annotated(report, all))).toBe(report);
  }
  expect(withoutAnnotations(REPORT)).toBe(REPORT);
});

test.each([
  ['a sentence', 'And _emphasis that ends._', `_emphasis that ends._ ${MARK} Then`],
  ['bold words', '**bold ones [1]', '**bold ones [1].** <sup>'],
  ['a row', 'A rose by 5 % [1] | [1] |', `| A rose by 5 % [1] | [1] ${MARK} |`],
  ['an item over two lines', 'that goes on.', `that goes on. ${MARK} <b>`],
  ['a line that ends hard', 'ends hard [2].', `ends hard [2]. ${MARK}  \n`],
])('the mark stands behind %s', (_kind, ending, expected) => {
  expect(annotated(REPORT, [claimAt(REPORT.indexOf(ending) + ending.length)])).toContain(expected);
});

test('a claim in a block of code has no mark there, and its verdict on top all the same', () => {
  const end = REPORT.indexOf('Code that cites [1].') + 20;
  const text = annotated(REPORT, [claimAt(end)]);
  expect(body(text)).toBe(REPORT);
  expect(text).toContain(
    '**C1, line 1: unsupported.** “5 %” stands in nothing that it cites. \\[1\\] “A fell.”',
  );
});

test('the counts and what the verdicts mean stand on top, below front matter', () => {
  const text = annotated(`---\ntitle: T\n---\n${REPORT}`, [claimAt(30)]);
  expect(text).toMatch(/^---\ntitle: T\n---\n<!-- colligate verify: begin -->\n/);
  expect(text).toContain('1 claim: 0 supported, 1 unsupported. 2 statements cite nothing.');
  expect(rendered(text.slice(text.indexOf('<!--')))).toMatch(/<details>\n<summary>1 verdict, each with/);
});

test('nothing of a source or a report is active in the list of verdicts', () => {
  const hostile =
    '</details><script>x</script> [link](https://evil.example) ![i](https://evil.example/i.png) \u001b[31m';
  const evidence = { sourceId: 'a', quote: hostile, start: 0, end: 1 };
  const claim = { ...claimAt(30), reason: hostile, evidence };
  const told = { line: 3, text: hostile, message: hostile, sourceIds: [] };
  const text = annotated(REPORT, [claim], [{ kind: 'source-missing', ...told }]);
  const top = rendered(text.slice(0, text.length - body(text).length));
  expect(top).not.toMatch(/<script|<img|href="(?!#verdict)|\u001b/);
  expect(top.match(/<\/details>/g)).toHaveLength(2);
});

test.each([
  ['quotations', '> '.repeat(10_000)],
  ['quotations without spaces', '>'.repeat(10_000)],
  ['items', '- '.repeat(10_000)],
])('a claim within thousands of %s is marked, too', (_kind, markers) => {
  const report = `${markers}A rose.\n\nB fell [1].\n`;
  expect(annotated(report, [claimAt(report.length - 1)])).toContain('B fell [1]. <sup>[C1 unsupported]');
});
