import { createHash } from 'node:crypto';
import { stripUnsafe } from '../../../src/lib/untrusted-text';
import { plainText } from '../../../src/report/cited-markdown/markdown-tree';
import type { DocumentTree } from '../../../src/report/document/document';
import { buildDocument } from '../../../src/report/document/document-builder';
import { html } from '../../../src/report/document/html';
import { htmlPage } from '../../../src/report/document/html-page';
import { markdownHtml } from '../../../src/report/document/markdown-html';
import { type PageElement, type ReadPage, readPage } from './read-page';
import { auditedReport, PDF_TEXT, reportOfModel, smallAnswer, smallBrief, vitaminReport } from './results';

describe('htmlPage', () => {
  const folded = (text: string): string => stripUnsafe(text).replace(/\s+/g, ' ').trim();
  let vitamin: DocumentTree;
  let pages: { tree: DocumentTree; markup: string; page: ReadPage }[];

  beforeAll(async () => {
    const { report, textOf } = await vitaminReport();
    vitamin = buildDocument(report, textOf);
    pages = trees().map((tree) => {
      const markup = htmlPage(tree);
      return { tree, markup, page: readPage(markup) };
    });
  });

  function trees(): DocumentTree[] {
    return [
      vitamin,
      buildDocument(auditedReport(), () => null),
      buildDocument(reportOfModel(), () => null),
      buildDocument(smallBrief(), () => null),
      buildDocument(smallAnswer(), () => PDF_TEXT),
    ];
  }

  /** What Markdown's signs and lines do not change. */
  const letters = (text: string): string => stripUnsafe(text).replace(/[^\p{L}\p{N}]/gu, '');

  function marked(passage: PageElement | undefined): string[] {
    const places = (passage?.inside ?? []).filter(({ name }) => name === 'figure');
    return places.map(({ inside }) =>
      letters(inside.flatMap(({ name, text }) => (name === 'mark' ? [text] : [])).join('')),
    );
  }

  describe('the page of a document', () => {
    it('lists all sources of the run below those that are cited', () => {
      const [first] = vitamin.sources.filter(({ timesCited }) => timesCited > 0);
      const sourcesRead = {
        sources: [
          {
            sourceId: first?.sourceId,
            status: 'read' as const,
            title: 'A trial',
            file: 'a.pdf',
            pagesWithoutText: 2,
            cited: true,
          },
          { status: 'repeated' as const, file: 'copy.pdf', sameAs: 'a.pdf', cited: false },
          {
            status: 'skipped' as const,
            file: '<scan>.pdf',
            reason: 'its 3 pages have no text',
            cited: false,
          },
        ],
        more: 4,
      };
      const markup = htmlPage({ ...vitamin, sourcesRead });
      const listed = markup.slice(markup.indexOf('<details id="sources-read">'));
      const rows = [...listed.slice(0, listed.indexOf('</table>')).matchAll(/<tr>[^]*?<\/tr>/g)].map(
        ([row]) => folded(row.replace(/<[^>]+>/g, ' ')),
      );
      expect(rows).toEqual([
        'Source File or address Read Cited',
        `A trial a.pdf Read : 2 pages without text [${first?.n ?? 0}]`,
        'copy.pdf Counted once : same as a.pdf no',
        '&lt;scan&gt;.pdf Skipped : its 3 pages have no text no',
      ]);
      expect(folded(listed)).toContain('Sources read (7)');
      expect(folded(listed)).toContain('… and 4 more sources');
    });

    it('names the file of a source', () => {
      const sources = vitamin.sources.map((source) => ({ ...source, file: 'trial.docx' }));
      expect(htmlPage({ ...vitamin, sources })).toContain('<bdi>trial.docx</bdi>.');
    });

    it('lists the parts of one work together, each under its number', () => {
      const work = { id: 'work:w', title: 'A handbook' };
      const [first, second, third] = vitamin.sources.filter(({ timesCited }) => timesCited > 0);
      const parts = [first?.n, third?.n];
      const sources = vitamin.sources.map((source) =>
        parts.includes(source.n) ? { ...source, work } : source,
      );
      const [listed, ...others] = readPage(htmlPage({ ...vitamin, sources })).having('work');
      expect(others).toEqual([]);
      expect(listed?.text).toContain('“A handbook”');
      const numbers = (listed?.inside ?? []).flatMap(({ attributes }) => attributes.value ?? []);
      expect(numbers).toEqual(parts.map(String));
      expect(numbers).not.toContain(String(second?.n));
    });

    it('links each claim to its passage with quotes and reason', () => {
      for (const { tree, page } of pages) {
        const passages = page.having('passage');
        expect(passages).toHaveLength(tree.claims.length);
        for (const [at, claim] of tree.claims.entries()) {
          const passage = passages[at];
          const link = page.byId(passage?.attributes['data-place'] ?? '');
          expect(link?.attributes.href).toBe(`#${passage?.attributes.id}`);
          const said = folded(link?.text ?? '');
          expect(folded(claim.text.replace(/[*\\]/g, '')).startsWith(said.slice(0, 20))).toBe(true);
          const quotes = claim.evidence.map(({ quote }) => letters(plainText(quote)));
          expect(marked(passage).sort()).toEqual(quotes.sort());
          for (const { before, quote, after } of claim.evidence)
            expect(letters(passage?.text ?? '')).toContain(letters(plainText(before + quote + after)));
          expect(folded(passage?.text ?? '')).toContain(folded(claim.reason));
        }
      }
    });

    it('is valid HTML with unique ids, working links and ordered headings', () => {
      for (const { page } of pages) {
        const { elements, errors } = page;
        expect(errors).toEqual([]);
        const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
        expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
        const links = elements
          .filter(({ name }) => name === 'a')
          .map(({ attributes }) => attributes.href ?? '');
        const inner = links
          .filter((href) => href.startsWith('#'))
          .map((href) => decodeURIComponent(href.slice(1)));
        expect(inner.filter((id) => !ids.includes(id))).toEqual([]);
        const levels = elements.flatMap(({ name }) => Number(/^h([1-6])$/.exec(name)?.[1] ?? NaN) || []);
        expect(levels[0]).toBe(1);
        for (const [at, level] of levels.entries())
          expect(level).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
      }
    });

    it('allows only its own style and script by hash', () => {
      const { elements } = readPage(htmlPage(vitamin));
      const policy = elements.find(
        ({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy',
      );
      const hashOf = (name: string): string[] =>
        elements
          .filter((element) => element.name === name)
          .map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(policy?.attributes.content?.split('; ')).toEqual([
        "default-src 'none'",
        `style-src ${hashOf('style').join(' ')}`,
        `script-src ${hashOf('script').join(' ')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "connect-src 'none'",
      ]);
      const active = elements.flatMap(({ attributes }) =>
        Object.keys(attributes).filter((name) => /^(on|style|src)/.test(name)),
      );
      expect(active).toEqual([]);
    });
  });

  describe('a passage', () => {
    /** Its Markdown as the page shows it, what is marked in square brackets. */
    function shownPassage(text: string, quote: string): string {
      const [first] = vitamin.claims;
      if (first === undefined) throw new Error('There is a claim.');
      const start = text.indexOf(quote);
      const place = { source: 1, quote, start, end: start + quote.length, page: null };
      const around = { before: text.slice(0, start), after: text.slice(start + quote.length) };
      const page = htmlPage({ ...vitamin, claims: [{ ...first, evidence: [{ ...place, ...around }] }] });
      const [, markup = ''] = /<blockquote[^>]*>([^]*?)<\/blockquote>/.exec(page) ?? [];
      return markup
        .replace(/ dir="auto"/g, '')
        .replaceAll('<mark>', '[')
        .replaceAll('</mark>', ']')
        .replace(/\s*\n\s*/g, ' ')
        .replace(/<\/p> /g, '</p>')
        .trim();
    }

    it.each([
      [
        'headings and bold type',
        '## Results\n\nIt was **so**. It is not.',
        'It was **so**.',
        '<p><strong>Results</strong></p><p>[It was <strong>so</strong>.] It is not.</p>',
      ],
      [
        'a quote that begins within bold type',
        '**A. It helps** a lot. B.',
        'It helps** a lot.',
        '<p><strong>A. [It helps]</strong>[ a lot.] B.</p>',
      ],
      [
        'links as their words',
        'See [it](https://example.org/a) here. B.',
        'See [it](https://example.org/a) here.',
        '<p>[See it here.] B.</p>',
      ],
      ['a quote that ends within code', 'A. Of `b and c` d.', 'Of `b', '<p>A. [Of `b] and c` d.</p>'],
      [
        'front matter as lines',
        '---\ntitle: A\n---\n\nIt is.',
        'It is.',
        '<hr /> <p>title: A</p><hr /> <p>[It is.]</p>',
      ],
      [
        'indented text as text',
        '    A table.\n    It is so.',
        'It is so.',
        '<p class="lines">A table. [It is so.]</p>',
      ],
      [
        'HTML as text',
        'H<sub>2</sub>O is **wet**.',
        'H<sub>2</sub>O',
        '<p>[H&lt;sub&gt;2&lt;/sub&gt;O] is <strong>wet</strong>.</p>',
      ],
    ])('shows %s with the quote marked', (_what, text, quote, expected) => {
      expect(shownPassage(text, quote)).toBe(expected);
    });
  });

  const HOSTILE = [
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '[a](javascript:alert(1)) ![b](https://example.com/b.png) <https://example.com/>',
    '&lt;b&gt; &#106;avascript: \u202etxt.exe\u2066 \u0000',
    '<!-- </style> ]]> {{x}} `code` $& $1',
  ];

  it('escapes hostile titles, names, quotes and texts', () => {
    const report = auditedReport();
    const plain = buildDocument(report, () => null);
    const [claim] = plain.claims;
    const [part] = plain.parts.filter(({ id }) => id === claim?.partId);
    if (claim === undefined || part === undefined) throw new Error('There is a claim in a part.');
    for (const hostile of HOSTILE) {
      const url = `https://example.org/?q=${hostile}`;
      const text = `${hostile} is so.`;
      const tree: DocumentTree = {
        ...plain,
        title: hostile,
        question: `Why ${hostile}`,
        notices: [hostile],
        gaps: [hostile],
        parts: [{ ...part, title: hostile, markdown: `${text}\n\n<iframe>\n\n${hostile}` }],
        claims: [
          {
            ...claim,
            text,
            start: 0,
            end: text.length,
            reason: hostile,
            evidence: [
              { source: 1, quote: hostile, start: 0, end: 1, page: null, before: hostile, after: hostile },
            ],
          },
        ],
        sources: plain.sources.map((source) => ({
          ...source,
          title: hostile,
          author: hostile,
          site: hostile,
          url: new URL(url).href,
        })),
      };
      const { elements, byId } = readPage(htmlPage(tree));
      const names = new Set(elements.map(({ name }) => name));
      expect(['img', 'iframe', 'object', 'embed', 'form', 'base'].filter((name) => names.has(name))).toEqual(
        [],
      );
      expect(elements.filter(({ name }) => name === 'script')).toHaveLength(1);
      const attributes = elements.flatMap((element) => Object.entries(element.attributes));
      expect(attributes.filter(([name]) => /^(on|style|src)/.test(name))).toEqual([]);
      for (const [name, value] of attributes) if (name === 'href') expect(value).toMatch(/^(#|https?:\/\/)/);
      expect(elements.find(({ name }) => name === 'title')?.text).toBe(stripUnsafe(hostile));
      expect(marked(byId(claim.id))).toEqual([letters(plainText(stripUnsafe(hostile)))]);
    }
  });
});

describe('markdownHtml', () => {
  /** With claims in square brackets, on one line. */
  function shown(markdown: string, ...texts: string[]): string {
    return markdownHtml(markdown, {
      spans: texts.map((text) => ({
        start: markdown.indexOf(text),
        end: markdown.indexOf(text) + text.length,
      })),
      around: (_span, said, isFirst) => html`${isFirst ? '[' : '…['}${said}]`,
      words: (words) => words,
      headingLevel: 3,
    })
      .markup.replace(/ dir="auto"/g, '')
      .replace(/>\s*\n\s*</g, '><')
      .replace(/\s+/g, ' ')
      .replace(/(<\/(?:p|h\d|li|pre)>) (?=<)/g, '$1')
      .trim();
  }

  it.each([
    [
      'among others',
      'It is so. It is not. Nobody knows.',
      ['It is not.'],
      '<p>It is so. [It is not.] Nobody knows.</p>',
    ],
    [
      'behind escaped signs',
      'Of \\*A\\* and &amp;c. B \\[1\\] is. C.',
      ['B \\[1\\] is.'],
      '<p>Of *A* and &amp;c. [B [1] is.] C.</p>',
    ],
    [
      'with emphasis in it',
      'A. It is **very** *so* indeed. B.',
      ['It is **very** *so* indeed.'],
      '<p>A. [It is <strong>very</strong> <em>so</em> indeed.] B.</p>',
    ],
    [
      'that begins in emphasis',
      '**Walking. It helps** a lot. B.',
      ['It helps** a lot.'],
      '<p><strong>Walking. [It helps]</strong>…[ a lot.] B.</p>',
    ],
    [
      'over lines of a quotation',
      '> A. It is\n> so. B.',
      ['It is\n> so.'],
      '<blockquote><p>A. [It is so.] B.</p></blockquote>',
    ],
    ['in a list', '- One.\n- Two. Three.', ['Two.'], '<ul><li>One.</li><li>[Two.] Three.</li></ul>'],
    ['of a table’s cell', '| a | b |\n| - | - |\n| It \\| is. | c |', ['It \\| is.'], null],
    [
      'with a link in it',
      'See [it](https://example.org) here. B.',
      ['See [it](https://example.org) here.'],
      '<p>[See it here.] B.</p>',
    ],
    ['within code', '    It is so.', ['It is so.'], '<pre tabindex="0"><code> [It is so.]</code></pre>'],
  ])('links a claim %s', (_where, markdown, claims, expected) => {
    const result = shown(markdown, ...claims);
    if (expected === null) expect(result).toContain('<td>[It | is.]</td>');
    else expect(result).toBe(expected);
  });

  it('shows HTML, images, footnotes and definitions as text', () => {
    expect(
      shown('<b>A</b> ![pic](https://example.org/p.png) B[^1] [c](data:x) [d]\n\n[d]: https://example.org'),
    ).toBe('<p>&lt;b&gt;A&lt;/b&gt; pic B[^1] c [d]</p><p>[d]: https://example.org</p>');
  });

  it('has headings without gaps', () => {
    expect(shown('#### A\n\nB\n\n## C\n\n##### D')).toBe('<h3>A</h3><p>B</p><h3>C</h3><h4>D</h4>');
  });
});
