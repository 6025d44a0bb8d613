import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { cronProblem, formatDuration, parseDuration } from '../../src/contracts/schedule';
import {
  escapeMarkdown,
  stripUnsafe,
  unescapeMarkdown,
  visibleText,
  withoutAddresses,
} from '../../src/lib/untrusted-text';
import { describeWithInstructions } from '../support/hidden-instructions';
import { pageOf, RENDERERS } from '../support/renderers';

describe('untrusted text', () => {
  const parser = unified().use(remarkParse).use(remarkGfm);

  /** The kinds of nodes that the Markdown makes, and its text with white space and word joiners out of the way. */
  function rendered(markdown: string): { kinds: string[]; text: string } {
    const kinds = new Set<string>();
    let text = '';
    visit(parser.parse(markdown), (node) => {
      kinds.add(node.type);
      if ('value' in node) text += ` ${node.value}`;
    });
    return { kinds: [...kinds].sort(), text: visible(text) };
  }

  function visible(text: string): string {
    return stripUnsafe(text).replace(/\s+/g, '');
  }

  function expectInert(text: string): void {
    const markdown = escapeMarkdown(text);
    const result = rendered(markdown);
    expect(result.kinds.filter((kind) => !INERT_KINDS.includes(kind))).toEqual([]);
    expect(result.text).toBe(visible(text));
    for (const [renderer, render] of Object.entries(RENDERERS)) {
      const { tags, text: shown } = pageOf(render(markdown));
      const active = tags.filter((tag) => !INERT_TAGS.includes(tag));
      expect({ renderer, active, shown: visible(shown) }).toEqual({
        renderer,
        active: [],
        shown: visible(text),
      });
    }
    expect(visible(unescapeMarkdown(markdown))).toBe(visible(text));
  }

  /** An address stands as code. */
  const INERT_KINDS = ['root', 'paragraph', 'text', 'break', 'inlineCode'];
  const INERT_TAGS = ['p', 'br', 'code'];

  describe('stripUnsafe', () => {
    it.each([
      ['colours', '\u001b[31mred\u001b[0m', 'red'],
      ['a hyperlink of a terminal', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007', 'click'],
      ['a hyperlink ended by ST', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
      ['a title that never ends, up to the line end', 'a\u001b]0;title\nb', 'a\nb'],
      ['a lone escape', 'a\u001b', 'a'],
      ['colours by an eight-bit control', 'a\u009b31mb', 'ab'],
      [
        'a hyperlink by eight-bit controls',
        '\u009d8;;https://evil.example\u009cclick\u009d8;;\u0007',
        'click',
      ],
      ['a device string', 'a\u001bP1$r0m\u001b\\b\u0090q#0\u009cc', 'abc'],
      ['a sequence that something unseen lies in', 'a\u001b\u200b[3\u00001\u2060mb', 'ab'],
      ['a sequence that is not ended', 'a\u001b[31', 'a'],
      ['a sequence that another one follows', 'a\u001b\u001b[31mb\u001b[1;4m\u001b(Bc', 'abc'],
      ['NUL, bell and backspace', 'a\u0000\u0007\bb', 'ab'],
      ['zero-width characters', 'pass\u200bword\u200d\ufeff\u2060', 'password'],
      ['bidi overrides', 'abc\u202etxt.exe\u202c\u2066x\u2069', 'abctxt.exex'],
      ['tag characters', 'hi\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}', 'hi'],
      ['variation selectors that carry bytes', 'a\ufe01\u{e0101}b', 'ab'],
      ['soft hyphens', 'co\u00adoperate', 'cooperate'],
      ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ])('removes %s', (_name, text, expected) => {
      expect(stripUnsafe(text)).toBe(expected);
    });

    it('keeps tabs and joiners within words and emoji, and makes every line end a line feed', () => {
      expect(stripUnsafe('a\tb\r\nc\rd\u2028e')).toBe('a\tb\nc\nd\ne');
      expect(stripUnsafe('می\u200cخواهم ❤\ufe0f 👩\u200d🔬')).toBe('می\u200cخواهم ❤\ufe0f 👩\u200d🔬');
      expect(stripUnsafe('می\u200c\u200d\u200c\u200dخواهم')).not.toMatch(/\u200c\u200d/);
      expect(stripUnsafe('naïve “quotes” – 5 ± 2 µg')).toBe('naïve “quotes” – 5 ± 2 µg');
    });

    it.each([
      'typed as it stands: [31mred[0m, ]8;;x, \\31m, ^[[31m and \\u001b[31m',
      'a list [1], [2;3] and an array[0]; 👩‍🔬 ❤️ naïve e\u0301 café',
    ])('keeps harmless brackets and signs: %s', (text) => {
      expect(stripUnsafe(text)).toBe(text);
    });

    it('removes no words behind a control that a wrong encoding made of a letter', () => {
      // Latin-1 read of Windows-1252: ž is the control that begins a privacy message, › the one that begins a sequence.
      expect(stripUnsafe('Mu\u009e je doma')).toBe('Mu je doma');
      expect(stripUnsafe('\u008bHello\u009b said he, \u009bHello')).toBe('Hello said he, Hello');
    });

    it('removes whole sequences from any text and keeps the text', () => {
      const sequence = fc.constantFrom(
        ...'\u001b[31m|\u001b[?25l|\u001b[1;38;5;208m|\u009b2J|\u009b31m|\u001b[2 q|\u001bc|\u001b]0;title\u0007'.split(
          '|',
        ),
        ...'\u001b]8;;https://evil.example\u001b\\|\u009d0;t\u009c|\u001bPq#0\u001b\\|\u0090q\u009c|\u001b_x\u001b\\'.split(
          '|',
        ),
        ...['\u001b^x\u0007', '\u001b(B', '\u001b7'],
      );
      const plain = fc.constantFrom(
        ...'Does it help?|[31m|a]b|[1;2]|0m| |\n|é|e\u0301|中文|👩‍🔬|❤️|שלום|می\u200cخواهم'.split('|'),
      );
      fc.assert(
        fc.property(fc.array(fc.tuple(plain, sequence), { maxLength: 12 }), (parts) => {
          const given = parts.map(([text, obeyed]) => `${text}${obeyed}`).join('');
          expect(stripUnsafe(given)).toBe(parts.map(([text]) => text).join(''));
        }),
        { seed: 31, numRuns: 2_000 },
      );
    });

    it('treats a character the same with and without unsafe neighbours', () => {
      const ranges = [
        [0, 0x33ff],
        [0xd800, 0xffff],
        [0x1bca0, 0x1bca3],
        [0x1d173, 0x1d17a],
        [0x1f600, 0x1f64f],
        [0xe0000, 0xe01ff],
      ] as const;
      const codes = ranges.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_unused, index) => from + index),
      );
      const different = codes
        .map((code) => `x${String.fromCodePoint(code)}`)
        .filter((text) => stripUnsafe(text) !== stripUnsafe(`\u0000${text}`));
      expect(different).toEqual([]);
      expect(stripUnsafe('x\u2029\u0000')).toBe('x\n');
    });

    it('leaves no unsafe character in any text', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => {
          const once = stripUnsafe(text);
          expect(once).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u,
          );
          expect(stripUnsafe(once)).toBe(once);
        }),
        { seed: 1, numRuns: 50 },
      );
      const controls = '\u001b\u009b\u0090\u009d\u009c\u0007\u0000[]\\?;031mqP_ \n\t\u200d\ufe0f\u{e0041}';
      const signs = [...controls, '\ud83d', '\udd2c', '👩', '❤'];
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 12 }), (parts) => {
          const once = stripUnsafe(parts.join(''));
          expect(once).not.toMatch(
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u{e0000}-\u{e0fff}]|\p{Surrogate}/u,
          );
          expect(stripUnsafe(once)).toBe(once);
        }),
        { seed: 2, numRuns: 300 },
      );
    });
  });

  describe('escapeMarkdown', () => {
    it.each([
      'a [link](https://evil.example) and ![image](https://evil.example/x.png "t")',
      '[ref][1]\n\n[1]: https://evil.example',
      'note[^1]\n\n[^1]: a footnote',
      '<img src=x onerror=alert(1)> <!-- hidden --> <https://evil.example> <a@b.example>',
      '<script>\nalert(1)\n</script>\n\n<div>\n*x*\n</div>',
      '//evil.example/path or //evil.com, (https://evil.example/wiki/Walk_(gait)) and "www.evil.com".',
      'https&colon;//evil.example https&#58;//evil.com htt<!-- -->ps://evil.com www<!-- -->.evil.com',
      'evil.com evil.co.uk/path evil.example:8080/a EVIL.COM. results.In adults 192.168.0.1 evil.рф',
      '@evil a@b a@b.co.uk mailto:a@b.com `www.evil.com` ``https://evil.com`` www.`evil`.com',
      'https:\\/\\/evil.com https://evil.com\\ [@a;https://evil.com] |www.evil.com| *https://evil.com*',
      'see https://evil.example/a?b=c, http://x.example, ftp://x.example and www.evil.example/path now',
      'WWW.EVIL.EXAMPLE HTTPS://EVIL.EXAMPLE',
      'mail me@evil.example or mailto:me@evil.example or xmpp:me@evil.example/x',
      '*a* **b** _c_ __d__ ***e*** ~f~ ~~g~~ `h` ``i ` j`` snake_case_name',
      '# one\n## two ##\nthree\n===\nfour\n---\n***\n___',
      '- a\n- b\n+ c\n* d\n1. e\n2) f\n> g\n- [ ] h\n- [x] i',
      '| a | b |\n| - | - |\n| 1 | 2 |\n\na\n:-\nb',
      '    indented code\n\n\tmore code\n\n```js\nfenced\n```\n~~~\nfenced\n~~~',
      '&lt;b&gt; &amp; &copy; &#65; &#x41; R&D AT&T; &nope',
      'ends with a backslash \\',
      'ends with a bang!',
      'two spaces at the end  \nof a line\\\nand more',
      'p < 0.05, p <0.05, a<b, x<=y and 3 > 2',
      '[@source-1] [@a; @b]',
      '\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007 \u202e[a](b)\u202c',
      '1986\\. A great year\n1986. A great year',
      '[toc]: <x>\n:::note\n$$x$$',
    ])('renders %j as plain text', (text) => {
      expectInert(text);
    });

    it('keeps ordinary prose', () => {
      const prose =
        'BMI fell by 1.5 kg/m² (95% CI -2.0 to -1.0; p < 0.05) in 20 women – “a large effect”, R&D said: yes!?';
      expect(escapeMarkdown(prose)).toBe(prose);
    });

    it('shows addresses as code, without invisible characters', () => {
      expect(escapeMarkdown('see (https://evil.example/a_b?c=d&amp;e), or a_b@evil.example.')).toBe(
        'see (`https://evil.example/a_b?c=d&amp;e`), or `a_b@evil.example`.',
      );
      expect(escapeMarkdown('It fell.In adults e.g. 1.5 kg')).toBe('It fell\\.In adults e.g. 1.5 kg');
    });

    it('is inert beside the citation marks of a report', () => {
      for (const [before, text, after] of [
        ['', 'What an effect!', '[[1]](#source-1)'],
        ['[1]', '(https://evil.example)', ''],
        ['[1]', '[x]', ''],
        ['', 'text\\', '[1]'],
      ] as const) {
        const kinds = rendered(`${before}${escapeMarkdown(text)}${after}`).kinds;
        expect(kinds).not.toContain('image');
        expect(kinds.filter((kind) => kind === 'link')).toHaveLength(after.includes('#') ? 1 : 0);
      }
    });

    it('one line stays inside a heading and a table cell', () => {
      const line = escapeMarkdown('a | b # c - d ##');
      expect(rendered(`## ${line}`)).toEqual({ kinds: ['heading', 'root', 'text'], text: 'a|b#c-d##' });
      expect(rendered(`| h |\n| - |\n| ${line} |`).text).toBe('ha|b#c-d##');
    });

    it('is inert for any text of Markdown signs', () => {
      const part = fc.constantFrom(
        ...'[]()!<>*_`~#-+=|:\\&;^"aB1. \n\t@/?\'é中\u200b\u20600${}',
        ...['  ', '\n\n', '    ', '\r\n', 'www.', 'http://', 'b.example', 'evil.com', '//'],
        ...['amp', '#x41', 'div', '--', 'mailto:', '\u001b[1m'],
      );
      fc.assert(
        fc.property(fc.array(part, { maxLength: 25 }), (parts) => expectInert(parts.join(''))),
        { seed: 7, numRuns: 150 },
      );
    });

    it('is inert for any characters', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => expectInert(text)),
        { seed: 11, numRuns: 80 },
      );
    });

    describeWithInstructions((instructions) => {
      it('is inert for instructions planted in a source', () => {
        for (const instruction of instructions().all) {
          for (const planted of [
            `[${instruction}](https://evil.example/?q=${encodeURIComponent(instruction)})`,
            `![${instruction}](https://evil.example/pixel.png)`,
            `<img src="https://evil.example/x.png" alt="${instruction}">`,
            `<!-- ${instruction} -->\n<div style="display:none">${instruction}</div>`,
            `\u001b]8;;https://evil.example\u0007${instruction}\u001b]8;;\u0007\u001b[8m`,
            `\`\`\`\n${instruction}\n\`\`\``,
            `[^x]\n\n[^x]: ${instruction} https://evil.example`,
          ])
            expectInert(planted);
        }
      });
    });
  });
});

describe('links in a text', () => {
  const PLANCK = 'Planck gives 67.4 km/s/Mpc ([Planck 2018](https://arxiv.org/abs/1807.06209)).';

  test.each([
    [PLANCK, 'Planck gives 67.4 km/s/Mpc (Planck 2018).'],
    ['It [opened](https://a.example/b_(c)) in [1932](http://b.example).', 'It opened in [1932].'],
    [
      'It was built [3](https://a.example), then sold [^4](www.b.example).',
      'It was built [3], then sold [^4].',
    ],
    ['See https://a.example/1, and [page](x.md).', 'See https://a.example/1, and [page](x.md).'],
    [
      'No link [1], f(x) [a](b c) and [not closed](https://a.example',
      'No link [1], f(x) [a](b c) and [not closed](https://a.example',
    ],
  ])('seenText keeps the words of links and the numbers of citations: %s', (text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  test('withoutAddresses blanks addresses and keeps every word in its place', () => {
    const text = `${PLANCK} More at https://a.example/7.`;
    const read = withoutAddresses(text);
    expect(read).toHaveLength(text.length);
    expect(read).not.toMatch(/1807|arxiv|a\.example|\[/);
    for (const word of ['67.4 km/s/Mpc', 'Planck 2018', 'More at'])
      expect(read.indexOf(word)).toBe(text.indexOf(word));
  });
});

describe('durations', () => {
  test.each([
    ['30s', 30_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['2w', 1_209_600_000],
  ])('%s is %d ms, in both directions', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(formatDuration(ms)).toBe(text);
  });

  test.each(['', '5', '5x', 'soon', '-5m', '1.5h'])('returns null for %j', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('cronProblem', () => {
  test.each([
    '0 9 * * mon',
    '*/5 0-6 1,15 jan-mar ?',
    '59 23 29 2 *',
    '0 0 * * 1-5/2',
    '@daily',
    ' 0 9 * * * ',
  ])('accepts %s', (cron) => {
    expect(cronProblem(cron)).toBeNull();
  });

  test.each([
    ['60 * * * *', 'has "60" for the minute; allowed: 0 to 59'],
    ['* 24 * * *', 'has "24" for the hour; allowed: 0 to 23'],
    ['* * 0 * *', 'for the day of the month'],
    ['* * * 13 *', 'allowed: 1 to 12, or names such as jan and feb'],
    ['* * * * 8', 'for the day of the week'],
    ['5-1 * * * *', 'has "5-1"'],
    ['*/0 * * * *', 'has "*/0"'],
    ['* * * *', 'has 4 fields; allowed: five'],
    ['', 'has no fields'],
    ['0 9 31 feb,apr *', 'never comes due'],
    ['@often', 'is no shorthand; allowed: @yearly'],
  ])('rejects %s: %s', (cron, why) => {
    expect(cronProblem(cron)).toContain(why);
  });
});
