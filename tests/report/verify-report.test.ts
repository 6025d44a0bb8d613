import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type VerifiedClaim, VerifiedReport } from '../../src/contracts/verified-report';
import { annotateReport, withoutAnnotations } from '../../src/report/annotate-report';
import { type GivenSource, verifyReport } from '../../src/report/verify-report';
import { exampleNotes, reportOver } from '../engines/extractive/report-without-server';

describe('verifyReport', () => {
  const SLEEP: GivenSource = {
    id: 'sleep',
    title: 'Evening walking and sleep in older adults',
    author: 'Doe, Jane; Roe, Richard; Poe, Pat',
    publishedAt: '2017-03-01',
    url: 'https://example.org/sleep',
    content:
      'In this randomised controlled trial 64 older adults in Norway walked for 12 weeks.\n\n' +
      'Total sleep time increased by 38 minutes in the exercise group (p = 0.01). Walking did not reduce daytime sleepiness. ' +
      'The authors suggest that walking lowers the blood pressure of older adults.',
  };

  const YOGA: GivenSource = {
    id: 'yoga',
    title: 'Yoga and sleep quality in office workers',
    url: 'https://www.example.org/yoga/',
    content: 'Yoga improved sleep quality scores by 2.1 points (p = 0.02) among 120 office workers in India.',
  };

  const SPARE: GivenSource = {
    id: 'spare',
    title: 'A spare one',
    content: 'Nothing of it is cited anywhere.',
  };

  const LIST = `## Sources

1. Doe, Jane. “Evening walking and sleep in older adults.” 2017. <https://example.org/sleep?utm_source=feed>
2. “Yoga and sleep quality in office workers.” <https://example.org/yoga>
`;

  function verified(
    text: string,
    sources: readonly GivenSource[] = [SLEEP, YOGA],
    list = LIST,
  ): VerifiedReport {
    return VerifiedReport.parse(verifyReport(`# On sleep\n\n${text}\n\n${list}`, sources));
  }

  /** The verdict of the one claim. */
  function verdictOf(text: string): string {
    const { claims } = verified(text);
    expect(claims).toHaveLength(1);
    return claims[0]?.verdict ?? '';
  }

  describe('a claim', () => {
    const TEXT =
      'Total sleep time increased by 38 minutes in the exercise group [1]. It is a matter of taste.\n\n' +
      '- Yoga improved sleep quality scores by 9.4 points [2]\n- Something else is said here [7].';

    test('has its place, citations, verdict and evidence', () => {
      const report = `# On sleep\n\n${TEXT}\n\n${LIST}`;
      const { claims, audit, citations, sources } = verifyReport(report, [SLEEP, YOGA, SPARE]);
      expect(claims).toMatchObject([
        { id: 'C1', line: 3, heading: 'On sleep', verdict: 'supported', code: 'same-words' },
        { id: 'C2', line: 5, citations: [{ label: '2', sourceId: 'yoga' }] },
        { id: 'C3', line: 6, code: 'no-passage', citations: [{ label: '7', sourceId: null }] },
      ]);
      expect(['contradicted', 'unsupported']).toContain(claims[1]?.verdict);
      expect(claims[2]?.verdict).toBe('unchecked');
      expect(claims[1]?.reason).toContain('9.4');
      for (const { start, end, text } of claims)
        expect(report.slice(start, end)).toContain(text.slice(0, 20));
      expect(audit).toMatchObject({ claims: 3, supported: 1, unchecked: 1, uncited: 1 });
      expect(citations).toEqual({ found: 3, resolved: 2, unresolved: 1, ambiguous: 0 });
      expect(sources).toEqual({ given: 3, cited: 2, titles: { sleep: SLEEP.title, yoga: YOGA.title } });
    });

    test('is compared with all of its sources together', () => {
      expect(verdictOf('Yoga improved sleep quality scores by 2.1 points [1][2].')).toBe('supported');
    });

    test('reports progress', () => {
      const told: string[] = [];
      verifyReport(`# T\n\n${TEXT}\n\n${LIST}`, [SLEEP, YOGA], {
        onProgress: ({ done, claims }) => told.push(`${done}/${claims}`),
      });
      expect(told).toEqual(['0/3', '1/3', '2/3', '3/3']);
    });
  });

  describe('quotations', () => {
    test.each(
      Object.entries({
        'framed by who says it':
          'Doe and colleagues (2017) report: “Total sleep time increased by 38 minutes in the exercise group” [1].',
        'with the title of its source':
          'Doe (2017), in “Evening walking and sleep in older adults”, states: “Walking did not reduce daytime sleepiness” [1].',
        'shortened by an ellipsis':
          'According to Doe, “In this … trial 64 older adults in Norway walked for 12 weeks” [1].',
        'under a topic in bold':
          '**How long people sleep.** Doe reports: “Walking did not reduce daytime sleepiness” [1].',
        "with a report's own remarks":
          '“Walking did not reduce daytime sleepiness” (as of 2017): Medium confidence (0.75) - Supported by one authoritative source [1]',
        'of two sources':
          'Doe reports “Walking did not reduce daytime sleepiness” [1], while others report “Yoga improved sleep quality scores by 2.1 points” [2].',
      }),
    )('are supported %s', (_kind, text) => {
      const { claims } = verified(text);
      expect(claims).toMatchObject([{ verdict: 'supported', code: 'same-words' }]);
      const { evidence } = claims[0] ?? {};
      const source = [SLEEP, YOGA].find(({ id }) => id === evidence?.sourceId);
      expect(source?.content.slice(evidence?.start, evidence?.end)).toBe(evidence?.quote);
    });

    test.each(
      Object.entries({
        'a number in it differs':
          'Doe reports: “Total sleep time increased by 83 minutes in the exercise group” [1].',
        'it leaves out a denial': 'Doe reports: Walking did “reduce daytime sleepiness” [1].',
        'it leaves out a doubt': 'Doe reports that “walking lowers the blood pressure of older adults” [1].',
        'somebody else is said to have said it':
          'Smith (2003) reports: “Walking did not reduce daytime sleepiness” [1].',
        'it is denied': 'Doe does not report that “Total sleep time increased by 38 minutes” [1].',
        'it stands in another source': 'Doe reports: “Yoga improved sleep quality scores by 2.1 points” [1].',
        'it cuts a number':
          'Doe reports: “In this randomised controlled trial 64 older adults in Norway walked for 1” [1].',
      }),
    )('are not supported where %s', (_kind, text) => {
      expect(verdictOf(text)).not.toBe('supported');
    });
  });

  describe('problems', () => {
    test('have a line and an instruction', () => {
      const list = `${LIST}3. “A book that nobody gave.” 1999. <https://example.com/book>\n`;
      const { problems } = verified(
        'Yoga improved sleep quality scores by 2.1 points [2]. More of it [3][9]. Again [9].',
        [SLEEP, YOGA, SPARE],
        list,
      );
      expect(problems.map(({ kind, line, sourceIds }) => `${kind} ${line} ${sourceIds.join()}`)).toEqual([
        'citation-without-entry 3 ',
        'entry-not-cited 7 sleep',
        'source-missing 9 ',
        'source-unused null sleep',
        'source-unused null spare',
      ]);
      for (const { message } of problems) expect(message).toMatch(/\. [A-Z][^.]+\.$/);
    });

    test('name the one citation of a mark without an entry', () => {
      const named = verified('Sleep grew [1, 9].').problems.flatMap((problem) =>
        problem.kind === 'citation-without-entry' ? [problem.text] : [],
      );
      expect(named).toEqual(['9 in [1, 9]']);
    });

    test('name code that is not closed', () => {
      const { problems } = verified('Sleep grew [1].\n\n```py\nprint(1)');
      expect(problems[1]).toMatchObject({ kind: 'not-read', line: 5, text: '```py' });
      expect(problems[1]?.message).toContain('down to line 11');
    });

    test('name the candidates of an ambiguous entry', () => {
      const twin = { ...YOGA, id: 'twin' };
      const text = 'Yoga improved sleep quality scores [2].';
      const { claims, citations, problems } = verified(text, [SLEEP, YOGA, twin]);
      expect(claims).toMatchObject([{ verdict: 'unchecked', code: 'no-passage' }]);
      expect(citations).toEqual({ found: 1, resolved: 0, unresolved: 0, ambiguous: 1 });
      const [ambiguous] = problems.filter(({ kind }) => kind === 'source-ambiguous');
      expect(ambiguous).toMatchObject({ line: 8, sourceIds: ['yoga', 'twin'] });
      expect(ambiguous?.message).toContain('yoga, twin');
    });
  });

  test('every claim of an extractive report is supported, and every citation is resolved', async () => {
    const sources = await exampleNotes('smaller-language-models');
    const question = 'How small can a language model be made without losing its abilities?';
    const { markdown } = await reportOver(sources, { question });
    const { claims, audit, citations, problems } = verifyReport(
      markdown,
      sources.map((source) => ({ ...source, title: source.title ?? source.id })),
    );
    const refused = claims.filter(({ verdict }) => verdict !== 'supported');
    expect(refused.map(({ text, reason }) => [text, reason])).toEqual([]);
    expect(audit.claims).toBeGreaterThan(20);
    expect(claims.some(({ text }) => text.startsWith('How this was checked'))).toBe(false);
    expect(citations.resolved).toBe(citations.found);
    expect(problems.filter(({ kind }) => kind !== 'source-unused')).toEqual([]);
  });

  describe('text of a report about itself', () => {
    const CLOSING = `## Limits and open questions

The time was up in pass 4.

### Information Gaps

- **How long does it last?** No source says so.

### Follow-up Questions

- Does yoga last [2]?

`;
    const CHECKED = '\n\nHow this was checked: all 2 cited statements are supported. Details: report.html.\n';

    test('is no claim: remarks, limits, gaps, questions and how it was checked', () => {
      const text =
        '## Executive Summary\n\n- Yoga improved sleep quality scores by 2.1 points [2] (Medium confidence).\n\n## Sleep\n\n' +
        `Total sleep time increased by 38 minutes in the exercise group [1] (unchecked).\n\n${CLOSING}${CHECKED}`;
      const { claims, audit } = verified(text);
      expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported']);
      expect(audit.uncited).toBe(0);
    });

    test('is a claim where it cites', () => {
      const citing = CLOSING.replace('No source says so.', 'Only one tells of 12 weeks [1].');
      const { claims } = verified(`${citing}${CHECKED}`);
      expect(claims.map((claim) => claim.text)).toEqual(['Only one tells of 12 weeks.']);
    });

    test('is a claim in the report of another program', () => {
      const { claims, audit } = verified(
        '## Confidence Assessment\n\nYoga improved sleep quality scores by 2.1 points [2]. We are sure of that.\n\n' +
          '## Claims Set Aside\n\nTotal sleep time increased by 38 minutes in the exercise group [1].',
      );
      expect(claims.map(({ verdict }) => verdict)).toEqual(['supported', 'supported']);
      expect(audit.uncited).toBe(1);
    });
  });

  test('returns counts and offsets for any report', () => {
    const signs = [
      '“',
      '”',
      '"',
      '[1]',
      '[2]',
      '\n\n',
      '- ',
      '**',
      '…',
      '# Sources\n\n',
      '1. ',
      '\\',
      '|',
      '`',
      ' ',
    ];
    const quoted = fc.constantFrom(...SLEEP.content.split('. '));
    const piece = fc.oneof(fc.constantFrom(...signs), fc.string({ unit: 'grapheme' }), quoted);
    const text = fc.array(piece).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (report) => {
        const { claims, audit } = VerifiedReport.parse(verifyReport(report, [SLEEP, YOGA]));
        for (const { start, end } of claims) expect(end > start && end <= report.length).toBe(true);
        const { claims: all, uncited: _uncited, ...counts } = audit;
        expect(Object.values(counts).reduce((sum, amount) => sum + amount, 0)).toBe(all);
      }),
    );
  });
});

describe('annotateReport', () => {
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
    return micromark(markdown, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
  }

  const MARK = '<sup>[C1 unsupported](#verdict-c1)</sup>';
  const RENDERED_MARK = / <sup><a href="#verdict-c1">C1 unsupported<\/a><\/sup>/g;

  /** The report's own part of an annotated one. */
  function body(markdown: string): string {
    return markdown.slice(markdown.indexOf('<!-- colligate verify: end -->\n\n') + 32);
  }

  const PLACES = Array.from({ length: REPORT.length }, (_unit, at) => at + 1);

  test('changes nothing but the marks in the rendered report, for any ends of claims', () => {
    const turns = 13;
    for (let turn = 0; turn < 4; turn += 1) {
      const claims = PLACES.filter((at) => at % turns === turn).map((end) => claimAt(end));
      expect(rendered(body(annotated(REPORT, claims))).replace(RENDERED_MARK, '')).toBe(rendered(REPORT));
    }
  });

  test('withoutAnnotations restores the report byte for byte', () => {
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
  ])('puts the mark behind %s', (_kind, ending, expected) => {
    expect(annotated(REPORT, [claimAt(REPORT.indexOf(ending) + ending.length)])).toContain(expected);
  });

  test('does not mark a claim in code, but lists its verdict', () => {
    const end = REPORT.indexOf('Code that cites [1].') + 20;
    const text = annotated(REPORT, [claimAt(end)]);
    expect(body(text)).toBe(REPORT);
    expect(text).toContain(
      '**C1, line 1: unsupported.** “5 %” stands in nothing that it cites. \\[1\\] “A fell.”',
    );
  });

  test('puts the counts on top, below front matter', () => {
    const text = annotated(`---\ntitle: T\n---\n${REPORT}`, [claimAt(30)]);
    expect(text).toMatch(/^---\ntitle: T\n---\n<!-- colligate verify: begin -->\n/);
    expect(text).toContain('1 claim: 0 supported, 1 unsupported. 2 statements cite nothing.');
    expect(rendered(text.slice(text.indexOf('<!--')))).toMatch(/<details>\n<summary>1 verdict, each with/);
  });

  test('has no active text in the list of verdicts', () => {
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
  ])('marks a claim within thousands of %s', (_kind, markers) => {
    const report = `${markers}A rose.\n\nB fell [1].\n`;
    expect(annotated(report, [claimAt(report.length - 1)])).toContain('B fell [1]. <sup>[C1 unsupported]');
  });
});
