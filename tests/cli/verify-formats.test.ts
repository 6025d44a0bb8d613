import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import type { CommandResult } from './command-line-under-test';
import { useProject } from './project-under-test';

const NOTE = `---
title: Evening walking and sleep
url: https://example.org/sleep
---
Total sleep time increased by 38 minutes in the exercise group. Walking did not reduce daytime sleepiness.
`;
const CLAIM = 'Total sleep time increased by 38 minutes in the exercise group';
const WRONG = 'Total sleep time increased by 83 minutes in the exercise group';
const LIST =
  '<h2>Sources</h2><ol><li>Evening walking and sleep. <a href="https://example.org/sleep">Link</a></li></ol>';

const project = useProject(({ write }) => write('notes/sleep.md', NOTE));

function verify(rest: string): Promise<CommandResult> {
  return project.colligate(`verify report --sources notes ${rest}`);
}

async function verified(report: string): Promise<VerifiedReport> {
  await project.write('report', report);
  const { stdout, stderr } = await verify('--json');
  expect(stderr).not.toContain('error:');
  return VerifiedReport.parse(JSON.parse(stdout));
}

const told = ({ claims }: VerifiedReport): string[] =>
  claims.map(({ text, verdict }) => `${verdict}: ${text}`);

const page = (body: string): string =>
  `<!DOCTYPE html><html><head><title>T</title></head><body>${body}</body></html>`;

describe('a page of somebody else', () => {
  test('with notes below it that numbers lead to, in a sentence, a list, a table and a quotation', async () => {
    const cite = (n: number): string => `<sup><a href="#fn${n}" id="ref${n}">${n}</a></sup>`;
    const report = await verified(
      page(`<h1>On sleep &amp; walking</h1>
        <p>${CLAIM}.${cite(1)} It is <a href="https://example.org/sleep">told elsewhere</a> too.</p>
        <ul><li>Walking did not reduce daytime sleepiness${cite(1)}<ul><li>${WRONG}.${cite(1)}</li></ul></li></ul>
        <table><tr><th>Who</th><th>What</th></tr><tr><td>A book</td><td>It says so${cite(2)}</td></tr></table>
        <blockquote><p>Nobody is cited here.</p></blockquote>
        <section class="footnotes"><hr><ol>
          <li id="fn1">Evening walking and sleep. https://example.org/sleep <a href="#ref1">↩</a></li>
          <li id="fn2">A book that nobody gave. <a href="#ref2">↩</a></li>
          <li id="fn3">Nobody cites this. https://example.com/x</li>
        </ol></section>`),
    );
    expect(told(report)).toEqual([
      `supported: ${CLAIM}.`,
      expect.stringMatching(/: It is told elsewhere too\.$/),
      'supported: Walking did not reduce daytime sleepiness',
      expect.stringMatching(/^(?:contradicted|unsupported): .*83 minutes/),
      'unchecked: A book | It says so',
    ]);
    expect(report.citations).toEqual({ found: 5, resolved: 4, unresolved: 1, ambiguous: 0 });
    expect(report.audit.uncited).toBe(1);
    expect(report.problems.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['entry-not-cited', 'source-missing']),
    );
  });

  test.each([
    ['numbers in brackets and a numbered list', `<p>${CLAIM} [1].</p>${LIST}`],
    ['raised numbers', `<p>${CLAIM}.<sup>1</sup></p>${LIST}`],
    [
      'lines of one paragraph',
      `<p>${CLAIM} [1].</p><p><b>References</b></p><p>[1] Evening walking and sleep. https://example.org/sleep<br>[2] Other.</p>`,
    ],
    [
      'an anchor before each entry',
      `<p>${CLAIM} [<a href="#a">1</a>].</p><h2>Notes</h2><p><a name="a"></a>1. Evening walking and sleep. https://example.org/sleep</p>`,
    ],
    [
      'a table that sets out the page',
      `<table><tr><td><h2>Sleep</h2><p>${CLAIM} [1].</p></td></tr><tr><td>${LIST}</td></tr></table>`,
    ],
    ['links', `<p><a href="https://example.org/sleep">${CLAIM}</a>.</p>`],
    [
      'characters by their names',
      `<p>${CLAIM.replaceAll(' ', '&nbsp;').replace('38', '&#51;&#x38;')} &lsqb;1&rsqb;.</p>${LIST}`,
    ],
  ])('with %s', async (_form, body) => {
    for (const text of [page(body), `<article>${body}</article>`]) {
      const report = await verified(text);
      expect(told(report)).toEqual([
        expect.stringMatching(/^supported: Total sleep time increased by 38 minutes/),
      ]);
      expect(report.citations).toMatchObject({ found: 1, resolved: 1 });
    }
  });

  test('with a number that leads to a paragraph of the text, which is a claim all the same', async () => {
    const report = await verified(
      page(`<p>${CLAIM} [1], see <a href="#more">2</a>.</p><p id="more">${WRONG} [1].</p>${LIST}`),
    );
    expect(report.claims.map(({ text }) => text)).toEqual([
      expect.stringContaining('38 minutes'),
      expect.stringContaining('83 minutes'),
    ]);
  });

  test('says nothing by what no reader sees, nor by what only looks like markup', async () => {
    const hidden = `${WRONG} [1].`;
    const report = await verified(
      page(`<script>document.write("<p>${hidden}</p>")</script><style>/* ${hidden} */</style><!-- <p>${hidden}</p> -->
        <p hidden>${hidden}</p><div style="color:red; DISPLAY : none"><p>${hidden}</p></div><template><p>${hidden}</p></template>
        <noscript><p>${hidden}</p></noscript><nav><p>${hidden}</p></nav><svg><text>${hidden}</text></svg>
        <textarea>${hidden}</textarea><iframe>${hidden}</iframe><img alt="${hidden}"><p title="${hidden}">${CLAIM} [1].</p>
        <p>It is written &lt;script&gt; and *so* [there](javascript:alert(1)) &amp;amp; \u202eeverywhere\u202c [1].</p>${LIST}`),
    );
    expect(told(report)).toEqual([
      `supported: ${CLAIM}.`,
      expect.stringMatching(/<script> and \*so\* \[there\]\(javascript:alert\(1\)\) &amp; everywhere\.$/),
    ]);
  });

  test('is annotated in Markdown, to which lines refer, and nothing of it is active there', async () => {
    await project.write(
      'report',
      page(
        `<p>Nobody here.</p><p>${CLAIM} [1]. See [this](javascript:alert(1)) &lt;img src=x&gt; [1].</p>${LIST}`,
      ),
    );
    const { code, stdout, stderr } = await verify('--annotate checked.md --json');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'report is read as HTML: lines are those of its text in Markdown, which --annotate writes.\n',
    });
    const [claim] = VerifiedReport.parse(JSON.parse(stdout)).claims;
    const written = await project.read('checked.md');
    const body = written.slice(written.indexOf('<!-- colligate verify: end -->')).split('\n').slice(2);
    expect(body[(claim?.line ?? 0) - 1]).toContain(`${CLAIM} [1]. <sup>[C1 supported]`);
    expect(written).toContain('[this]\\(javascript:alert(1)) \\<img src=x>');
  });
});

test.each([
  ['elements within each other', '<div>'.repeat(2_000_000), /more than 400 deep/],
  ['elements', '<b></b>'.repeat(500_000), /more than 400,000 elements/],
  [
    'formatting that each paragraph begins anew',
    `<p>${Array.from({ length: 300 }, (_none, n) => `<i id=${n}>`).join('')}</p>${'<p>x</p>'.repeat(50_000)}`,
    /more than 400,000 elements/,
  ],
  [
    'attributes',
    `<p ${Array.from({ length: 1_000_000 }, (_none, n) => `a${n}`).join(' ')}>`,
    /more than 1,000 attributes/,
  ],
  ['bytes', 'x'.repeat(17 * 1024 * 1024), /larger than 16 MB, as HTML; verify its parts/],
  ['text', 'x '.repeat(3 * 1024 * 1024), /its text is larger than 4 MB; verify its parts/],
  [
    'text that a script makes',
    '<script>make()</script>',
    /the page has no text; .*save what a browser shows/,
  ],
  ['words and no citation', '<p>Nothing is cited.</p>', /nothing in it cites anything/],
])('a page of nothing but %s is refused with what to do', async (_kind, body, message) => {
  await project.write('report', page(body));
  const { code, stdout, stderr } = await verify('');
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('as much as is taken of everything is read', async () => {
  const notes = Array.from({ length: 20_000 }, (_none, n) => `<li id=n${n}>Note ${n}</li>`).join('');
  const cites = Array.from({ length: 20_000 }, (_none, n) => `<a href="#n${n}">1</a> `).join('');
  const deep = `${'<ul><li>'.repeat(180)}${CLAIM} [<a href="https://example.org/sleep">1</a>].${'</li></ul>'.repeat(180)}`;
  const wide = `<table><tr>${'<td>x'.repeat(20_000)}</tr>${'<tr><td>y'.repeat(2_000)}</table>`;
  const report = await verified(
    page(`${deep}<p>${cites}${'<i> </i>'.repeat(20_000)}</p><ol>${notes}</ol>${wide}`),
  );
  expect(report.claims[0]).toMatchObject({ verdict: 'supported' });
  expect(report.entries.length).toBeGreaterThanOrEqual(20_000);
});

describe('a table of evidence by somebody else', () => {
  test.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('parted by %s, with quotes and lines within its cells', async (_name, by) => {
    const rows = [
      ['Claim', 'Source', 'URL'],
      [`"${CLAIM.replace(' in ', '\nin ')}"`, '"Evening ""walking"" and sleep"', 'https://example.org/sleep'],
      [`"${WRONG}${by} so to say [sic]"`, '', 'https://example.org/sleep'],
      ["'=1+1 is two", 'A book that nobody gave', ''],
      ['"Nobody says so"', '', ''],
    ];
    const report = await verified(`\ufeff${rows.map((row) => row.join(by)).join('\r\n')}\r\n`);
    expect(told(report)).toEqual([
      `supported: ${CLAIM}`,
      expect.stringMatching(/^(?:contradicted|unsupported|partial|unchecked): .*83 minutes.* \[sic\]$/),
      'unchecked: =1+1 is two',
    ]);
    expect(report.citations).toMatchObject({ found: 3, resolved: 2 });
    expect(report.audit.uncited).toBe(1);
  });

  test('that is broken is refused with its line and what to do', async () => {
    await project.write('report', `claim,title\nGood,One\n"Never closed,Two\n`);
    const { code, stderr } = await verify('');
    expect(code).toBe(2);
    expect(stderr).toMatch(/REPORT report, line \d+: the table is broken \(.*\); save it anew as CSV\./);
  });
});

test.each([
  [
    'Markdown that begins with HTML',
    `<p align="center">Sleep</p>\n\n# Sleep\n\n${CLAIM} [1].\n\n## Sources\n\n1. <https://example.org/sleep>\n`,
  ],
  [
    'Markdown that begins with a brace',
    `{{ toc }}\n\n${CLAIM} [1].\n\n## Sources\n\n1. <https://example.org/sleep>\n`,
  ],
])('%s is Markdown', async (_name, text) => {
  expect(told(await verified(text))).toEqual([`supported: ${CLAIM}.`]);
});
