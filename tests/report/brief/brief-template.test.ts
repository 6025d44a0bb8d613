import type { BriefCitation } from '../../../src/contracts/brief';
import { citationWarnings, fillTemplate, qualityCheck } from '../../../src/report/brief/assemble-brief';
import { sourcesList } from '../../../src/report/brief/brief-citations';
import { BUILT_IN_TEMPLATES, parseTemplate, templateParts } from '../../../src/report/brief/brief-template';
import { templateText } from '../../../src/report/template-file';
import { ends } from '../../support/ends';
import { pageOf, RENDERERS } from '../../support/renderers';
import { STANDARD } from './brief-fixture';
import { templateOf } from './read-template';

describe('templates', () => {
  const SUBTOPICS = [
    { id: 'subtopic-1', title: 'Costs' },
    { id: 'subtopic-2', title: 'Effects' },
  ];

  const OWN = `{{title}}

## In short

{{summary: two sentences}}

### What was found

{{findings}}

## So what

{{conclusions}}

## References

{{sources}}`;

  function problemsOf(text: string): string[] {
    const read = parseTemplate(text);
    return 'problems' in read ? read.problems : [];
  }

  describe('a template', () => {
    it.each(BUILT_IN_TEMPLATES)('%s is built in and valid', async (name) => {
      const template = templateOf(await templateText(name));
      const ids = templateParts(template, SUBTOPICS).map(({ id }) => id);
      expect([...ids].sort()).toEqual(['conclusions', 'subtopic-1', 'subtopic-2', 'summary']);
    });

    it('brief has the headings of document 000', async () => {
      const text = await templateText('brief');
      const headings = text.split('\n').filter((line) => line.startsWith('#'));
      const own = ['Executive Summary', 'Key Findings', 'Conclusions', 'Sources'].map(
        (title) => `## ${title}`,
      );
      expect(headings).toEqual(['# {{title}}', ...own]);
    });

    it('a text is returned as it is', async () => {
      expect(await templateText(OWN)).toBe(OWN);
    });

    it('wantedParts returns headings and instructions in order', () => {
      expect(templateParts(templateOf(OWN), SUBTOPICS)).toEqual([
        { id: 'summary', title: 'In short', instruction: 'two sentences' },
        { id: 'subtopic-1', title: 'Costs', instruction: '' },
        { id: 'subtopic-2', title: 'Effects', instruction: '' },
        { id: 'conclusions', title: 'So what', instruction: '' },
      ]);
    });

    it('may put the conclusions first', () => {
      const memo = OWN.replace('{{summary: two sentences}}', '{{moved}}')
        .replace('{{conclusions}}', '{{summary}}')
        .replace('{{moved}}', '{{conclusions}}');
      const parts = templateParts(templateOf(memo), SUBTOPICS).map(({ id, title }) => `${id}: ${title}`);
      const subtopics = ['subtopic-1: Costs', 'subtopic-2: Effects'];
      expect(parts).toEqual(['conclusions: In short', ...subtopics, 'summary: So what']);
    });
  });

  describe('templates with unusual spacing', () => {
    const SPACE = ' '.repeat(1_000_000);

    it('are read with trimmed headings', () => {
      const { headings } = templateOf(OWN.replace('## In short', '##   In short  ##'));
      const texts = { title: 'T', summary: 'S [1].', findings: 'F', conclusions: 'C', sources: '[1] X.' };
      const filled = fillTemplate(templateOf(OWN.replace('## In short', '##   In short  ##')), texts);
      expect(headings.summary.text).toBe('In short');
      expect(filled).toContain(headings.summary.markdown);
    });

    it.each([
      ['a slot of white space', `{{${SPACE}x`],
      ['an instruction of white space', `{{summary:${SPACE}x`],
      ['a heading of white space', `# a${SPACE}b`],
    ])('are read in linear time: %s', (_name, line) => {
      expect(ends(() => problemsOf(`${line}\n{{x}}`))).not.toEqual([]);
    });
  });

  describe('problems of a template', () => {
    const LINE = 'Line 18 of the template has';
    const NOT_ALONE = `${LINE} a slot that is not alone on its line, or is not closed on it`;

    it.each([
      [
        'a slot that is missing',
        OWN.replace('{{conclusions}}', ''),
        'The template has no slot {{conclusions}}.',
      ],
      ['an unknown slot', `${OWN}\n{{sumary}}`, `${LINE} an unknown slot: {{sumary}}. Is {{summary}} meant?`],
      ['a slot that is there twice', `${OWN}\n{{findings}}`, `${LINE} the slot {{findings}} a second time.`],
      ['a slot within a line', `${OWN}\nOf {{date}}, by hand`, `${NOT_ALONE}: Of {{date}}, by hand.`],
      ['a slot that is not closed', `${OWN}\n{{date`, `${NOT_ALONE}: {{date.`],
      [
        'a slot in a heading',
        `${OWN}\n## {{question}}`,
        `${LINE} the slot {{question}} in a heading; the title alone may stand in one.`,
      ],
      [
        'findings under the heading of something else',
        OWN.replace('### What was found\n', ''),
        'The template has no heading of its own before {{findings}}; a line such as “## Sources” is one.',
      ],
    ])('%s', (_name, text, problem) => {
      expect(problemsOf(text)).toEqual([problem]);
    });

    it('are all reported at once', () => {
      expect(problemsOf('{{title}}\n{{title}}\n')).toHaveLength(5);
    });

    it('include a suggestion for a misspelt name', () => {
      expect(problemsOf('decision-mem')).toEqual([
        'decision-mem is no template: it has no slots, and no template of that name ships (3 templates ship: brief, decision-memo, literature-review). Is decision-memo meant?',
      ]);
    });
  });

  describe('fillTemplate', () => {
    it('fills the slots under the headings', () => {
      const texts = { title: 'T', summary: 'S', findings: 'F', conclusions: 'C', sources: 'L' };
      expect(fillTemplate(templateOf(OWN), texts)).toBe(
        '# T\n\n## In short\n\nS\n\n### What was found\n\nF\n\n## So what\n\nC\n\n## References\n\nL\n',
      );
    });

    it('removes the heading of an empty slot', () => {
      const texts = { title: 'T', findings: 'F', conclusions: '', sources: 'L' };
      expect(fillTemplate(templateOf(OWN), texts)).toBe(
        '# T\n\n### What was found\n\nF\n\n## References\n\nL\n',
      );
    });

    it('keeps replacement patterns of a text', () => {
      const texts = {
        title: '$& {{summary}} $1',
        summary: 'S',
        findings: 'F',
        conclusions: 'C',
        sources: 'L',
      };
      expect(fillTemplate(templateOf(OWN), texts)).toContain('# $& {{summary}} $1\n');
    });
  });
});

describe('sourcesList', () => {
  const CITATION: BriefCitation = {
    n: 3,
    sourceId: 's-a',
    url: 'https://www.example.org/walks?page=2',
    title: 'Walks and pressure',
    accessedAt: '2026-01-02T10:00:00.000Z',
    quality: { level: 'general', reason: 'no rule names it' },
    timesCited: 1,
    inFull: false,
  };

  const ADDRESS = 'https://www.example.org/walks?page=2. Accessed 2026-01-02.';
  const WALKS = `"Walks and pressure." ${ADDRESS}`;

  it.each<[string, Partial<BriefCitation>, string]>([
    ['an author', { author: 'Doe, J.', site: 'Journal' }, `[3] Doe, J. ${WALKS}`],
    ['a site where no author is known', { site: 'Journal of Walks' }, `[3] Journal of Walks. ${WALKS}`],
    ['the host where neither is', {}, `[3] example.org. ${WALKS}`],
    [
      'what is apart from the host in a title that is the address',
      { title: 'example.org/abs/1907.05922', url: 'https://example.org/abs/1907.05922' },
      '[3] example.org. "abs/1907.05922." https://example.org/abs/1907.05922. Accessed 2026-01-02.',
    ],
    [
      'no name in a title for the site of what is no address of the web',
      { url: 'ftp://example.org/a', title: 'example.org/a' },
      '[3] Unknown author. "`example.org/a`." `ftp://example.org/a`. Accessed 2026-01-02.',
    ],
    ['no address', { url: null }, '[3] Unknown author. "Walks and pressure." Accessed 2026-01-02.'],
    ['a title that asks', { site: 'J', title: 'Do "walks" help?' }, `[3] J. "Do 'walks' help?" ${ADDRESS}`],
  ])('has %s', (_name, given, line) => {
    expect(sourcesList([{ ...CITATION, ...given }])).toBe(line);
  });

  it.each(Object.keys(RENDERERS))('links only to the site in %s', (name) => {
    const page = pageOf(RENDERERS[name]?.(sourcesList([{ ...CITATION, title: 'example.org/**b**' }])) ?? '');
    expect(page.tags).not.toContain('strong');
    expect(page.links.filter((link) => !/^https?:\/\/(?:www\.)?example\.org(?:\/|$)/.test(link))).toEqual([]);
  });

  it('separates lines by a blank line', () => {
    const lines = sourcesList([CITATION, { ...CITATION, n: 4 }]).split('\n\n');
    expect(lines.map((line) => line.slice(0, 3))).toEqual(['[3]', '[4]']);
  });

  it('says that no source is cited', () => {
    expect(sourcesList([])).toBe('No source is cited.');
  });
});

describe('qualityCheck', () => {
  const { headings } = templateOf(STANDARD);
  const WHOLE = '## Executive Summary\n\nA [1].\n\n## Key Findings\n\n### Costs\n\n## Sources\n\n[1] X.';

  it.each([
    ['a whole text', WHOLE, ['Costs'], {}],
    ['no summary', WHOLE.replace('## Executive', '##'), ['Costs'], { hasExecutiveSummary: false }],
    ['no findings', WHOLE.replace('## Key Findings', ''), ['Costs'], { hasFindings: false }],
    ['findings under the shorter heading', WHOLE.replace('Key Findings', 'Findings'), ['Costs'], {}],
    ['no list of sources', WHOLE.replace('## Sources', ''), ['Costs'], { hasSources: false }],
    [
      'a title for the sources',
      WHOLE.replace('## Sources', '### On ## Sources'),
      ['Costs'],
      { hasSources: false },
    ],
    ['no citations', WHOLE.replaceAll('[1]', ''), ['Costs'], { hasCitations: false }],
    ['titles in other capitals', WHOLE.replace('Costs', 'COSTS'), ['costs'], {}],
    ['a title that is escaped', WHOLE.replace('Costs', 'Costs \\[of\\] it'), ['Costs [of] it'], {}],
  ])('%s', (_name, text, titles, lacking) => {
    const all = { hasExecutiveSummary: true, hasFindings: true, hasSources: true, hasCitations: true };
    expect(qualityCheck(text, headings, titles)).toEqual({
      ...all,
      ...lacking,
      subtopicsCovered: 1,
      wordCount: text.split(/\s+/).filter(Boolean).length,
      passes: Object.keys(lacking).length === 0,
    });
  });

  it.each([
    [[], 0, false],
    [['Costs', 'a', 'x', 'k', 'zebra'], 0.8, true],
    [['Costs', 'a', 'zebra'], 2 / 3, false],
  ])('covers of the subtopics %p %p', (titles, subtopicsCovered, passes) => {
    expect(qualityCheck(WHOLE, headings, titles)).toMatchObject({ subtopicsCovered, passes });
  });

  it('counts words between white space', () => {
    expect(qualityCheck(' \n## a\tb\n\n- c \n', headings, []).wordCount).toBe(5);
    expect(qualityCheck('', headings, []).wordCount).toBe(0);
  });
});

describe('citationWarnings', () => {
  function told(markdown: string, listed: number[], defined: number[]): string[] {
    return citationWarnings(markdown, listed, defined).map(({ message }) => message);
  }

  const UNREFERENCED = 'Citations {2, 3} defined but not referenced in report';
  const missing = (n: number): string => `Citation [${n}] referenced but does not exist`;

  it.each([
    ['has nothing to say of a text that names what it lists', 'A [1][2]. B [2].', [1, 2], [1, 2], []],
    [
      'names numbers that do not exist, then those that nothing references',
      'A [1]. B [12]. C [7].',
      [1, 2],
      [1, 2, 3],
      [missing(7), missing(12), UNREFERENCED],
    ],
    [
      'takes a number that the text has by itself for no reference to a source that is not listed',
      'A [1]. B [3].',
      [1, 2],
      [1, 2, 3],
      [missing(3), UNREFERENCED],
    ],
    ['takes no escaped bracket for a citation', 'A \\[9\\].', [], [], []],
  ])('%s', (_what, markdown, listed, defined, warnings) => {
    expect(told(markdown, listed, defined)).toEqual(warnings);
  });
});
