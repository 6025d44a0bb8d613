import { fillTemplate } from '../../src/briefs/fill-template';
import { BUILT_IN_TEMPLATES, readTemplate, wantedParts } from '../../src/briefs/template';
import { templateText } from '../../src/templates/template-text';
import { ends } from '../support/ends';
import { templateOf } from './read-template';

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
  const read = readTemplate(text);
  return 'problems' in read ? read.problems : [];
}

describe('a template', () => {
  it.each(BUILT_IN_TEMPLATES)('of the name %s ships, and can be read', async (name) => {
    const template = templateOf(await templateText(name));
    const ids = wantedParts(template, SUBTOPICS).map(({ id }) => id);
    expect([...ids].sort()).toEqual(['conclusions', 'subtopic-1', 'subtopic-2', 'summary']);
  });

  it("has document 000's headings where nothing else is asked for", async () => {
    const text = await templateText('brief');
    const headings = text.split('\n').filter((line) => line.startsWith('#'));
    const own = ['Executive Summary', 'Key Findings', 'Conclusions', 'Sources'].map((title) => `## ${title}`);
    expect(headings).toEqual(['# {{title}}', ...own]);
  });

  it('that is no name is the text itself', async () => {
    expect(await templateText(OWN)).toBe(OWN);
  });

  it('gives each part its heading and its instruction, in its order', () => {
    expect(wantedParts(templateOf(OWN), SUBTOPICS)).toEqual([
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
    const parts = wantedParts(templateOf(memo), SUBTOPICS).map(({ id, title }) => `${id}: ${title}`);
    const subtopics = ['subtopic-1: Costs', 'subtopic-2: Effects'];
    expect(parts).toEqual(['conclusions: In short', ...subtopics, 'summary: So what']);
  });
});

describe('a template in another hand', () => {
  const SPACE = ' '.repeat(1_000_000);

  it('has the headings that it has, however they are spaced and closed', () => {
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
  ])('is read to its end: %s', (_name, line) => {
    expect(ends(() => problemsOf(`${line}\n{{x}}`))).not.toEqual([]);
  });
});

describe('what is wrong with a template is named', () => {
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

  it('all of it at once', () => {
    expect(problemsOf('{{title}}\n{{title}}\n')).toHaveLength(5);
  });

  it('a misspelt name', () => {
    expect(problemsOf('decision-mem')).toEqual([
      'decision-mem is no template: it has no slots, and no template of that name ships (3 templates ship: brief, decision-memo, literature-review). Is decision-memo meant?',
    ]);
  });
});

describe('a template is filled', () => {
  it('with what was written, under its own headings', () => {
    const texts = { title: 'T', summary: 'S', findings: 'F', conclusions: 'C', sources: 'L' };
    expect(fillTemplate(templateOf(OWN), texts)).toBe(
      '# T\n\n## In short\n\nS\n\n### What was found\n\nF\n\n## So what\n\nC\n\n## References\n\nL\n',
    );
  });

  it('and a slot with nothing to say takes its heading along', () => {
    const texts = { title: 'T', findings: 'F', conclusions: '', sources: 'L' };
    expect(fillTemplate(templateOf(OWN), texts)).toBe(
      '# T\n\n### What was found\n\nF\n\n## References\n\nL\n',
    );
  });

  it('whatever signs of replacement stand in the text', () => {
    const texts = { title: '$& {{summary}} $1', summary: 'S', findings: 'F', conclusions: 'C', sources: 'L' };
    expect(fillTemplate(templateOf(OWN), texts)).toContain('# $& {{summary}} $1\n');
  });
});
