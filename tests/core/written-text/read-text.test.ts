import { readText, statementsOf, textMarkdown } from '../../../src/core/written-text/read-text';
import { LONG_TEXT } from './long-text';

const plainOf = (markdown: string): string[] =>
  statementsOf({ id: 'section-1', title: 'A title', markdown }).map(({ plain }) => plain);

describe('parts', () => {
  test('of a whole text: the summary, sections in order and the limits, under the title', () => {
    const { title, parts } = readText(LONG_TEXT, 'How many jobs?');
    expect(title).toBe('Passenger numbers and jobs at a small airport');
    expect(parts.map(({ id, title: heading }) => [id, heading])).toEqual([
      ['summary', 'Executive Summary'],
      ['section-1', 'How many jobs are on site'],
      ['limits', 'Limits and open questions'],
    ]);
  });

  test('keep their Markdown byte for byte', () => {
    const [, body = ''] = LONG_TEXT.split(/^# .*\n\n/);
    expect(textMarkdown(readText(LONG_TEXT, 'How many jobs?'))).toBe(body.trim());
  });

  test('a text without a title has that of the question', () => {
    expect(readText('## Costs\n\nThey rose [@a].', 'Do costs rise?').title).toBe('Do costs rise?');
  });

  test('text before the first heading belongs to the summary', () => {
    const alone = readText('# T\n\nCosts rise [@a].\n\n## Costs\n\nThey do.', 'Q?');
    expect(alone.parts.map(({ id, markdown }) => [id, markdown])).toEqual([
      ['summary', 'Costs rise [@a].'],
      ['section-1', 'They do.'],
    ]);
    const before = readText('# T\n\nFor the board.\n\n## Executive Summary\n\n- Costs rise [@a].', 'Q?');
    expect(before.parts).toEqual([
      { id: 'summary', title: 'Executive Summary', markdown: 'For the board.\n\n- Costs rise [@a].' },
    ]);
  });

  test('only the last part tells limits, and a part without text is none', () => {
    const text =
      '## Summary\n\nA one.\n\n## Speed limits\n\nB two.\n\n## Empty\n\n## Open questions\n\nC three.';
    expect(readText(text, 'Q?').parts.map(({ id, title }) => [id, title])).toEqual([
      ['summary', 'Summary'],
      ['section-1', 'Speed limits'],
      ['limits', 'Open questions'],
    ]);
  });

  test('the last part tells limits after text before the summary', () => {
    const text =
      '# T\n\nFor the board.\n\n## Summary\n\nA one.\n\n## Costs\n\nB two.\n\n## Limits\n\nC three.';
    expect(readText(text, 'Q?').parts.map(({ id }) => id)).toEqual(['summary', 'section-1', 'limits']);
  });
});

describe('statements', () => {
  test('of the long text, in order, with what they cite', () => {
    const { statements } = readText(LONG_TEXT, 'Q?');
    expect(statements.map(({ id }) => id)).toEqual(statements.map((_, at) => `T${at + 1}`));
    expect(statements.map(({ plain, sourceIds }) => [plain, sourceIds.join(' ')])).toMatchInlineSnapshot(`
      [
        [
          "Probably not. An airport with 500,000 passengers a year supports about 475 jobs on site, and not 2,000.",
          "acrp.org.2019 guide klophaus-2008.p3",
        ],
        [
          "The ratio falls with size, e.g. from 1,200 to 900 jobs per million passengers.",
          "acrp.org.2019",
        ],
        [
          "Dr. Klophaus et al. counted 24,500 jobs at regional airports in 2005.",
          "klophaus-2008.p3",
        ],
        [
          "The ratio is counted on site.",
          "",
        ],
        [
          "It is 954 jobs per million passengers in Europe.",
          "aci.eu",
        ],
        [
          "ACI reports 950–1,000 jobs (approx. 0.95 per 1,000 passengers) vs. 650 in the U.S..",
          "acrp.org.2019",
        ],
        [
          "On-site jobs. Airlines employ 64 % of the staff.",
          "aci.eu",
        ],
        [
          "Shops: retail employs 8 %.",
          "aci.eu",
        ],
        [
          "What is missing. No source counts part-time jobs.",
          "",
        ],
        [
          "Airlines employ most people.",
          "aci.eu",
        ],
        [
          "They also train them.",
          "",
        ],
        [
          "Handlers come second.",
          "aci.eu",
        ],
        [
          "Their share fell by 3.5 points.",
          "aci.eu",
        ],
        [
          "Authorities employ 5 %.",
          "aci.eu",
        ],
        [
          "Customs have half of them.",
          "aci.eu",
        ],
        [
          "The ratio is counted on site.",
          "",
        ],
        [
          "That rarely changes.",
          "guide",
        ],
        [
          "Hahn; 3.0 million; 2,315; counted",
          "klophaus-2008.p3",
        ],
        [
          "Lübeck; 0.7 million; 410; estimated",
          "klophaus-2008.p3",
        ],
        [
          "All; 3.7 million; 2,725; sum of both",
          "",
        ],
        [
          "A closing line stands right under the table.",
          "guide",
        ],
        [
          "The sources share a method.",
          "aci.eu acrp.org.2019",
        ],
        [
          "What did a job cost?",
          "",
        ],
        [
          "How many jobs are part-time?",
          "",
        ],
      ]
    `);
  });

  test('an abbreviation and the dots of an id end no sentence', () => {
    const text =
      'Dr. Ng et al. report 3.5 % (approx. 7 of 200) [@a.b.c]. Smith vs. Jones [@d.e; @f.g] is older.';
    expect(plainOf(text)).toEqual([
      'Dr. Ng et al. report 3.5 % (approx. 7 of 200).',
      'Smith vs. Jones is older.',
    ]);
  });

  test('a mark behind a quoted question belongs to its sentence', () => {
    const cited = statementsOf({ id: 'p', title: 'P', markdown: 'He asked “why?” [@a]. So did she [@b].' });
    expect(cited.map(({ text }) => text)).toEqual(['He asked “why?” [@a].', 'So did she [@b].']);
  });

  test('a heading, the head of a table and its rule are none', () => {
    const table =
      '### Costs rose.\n\n| Year | Cost |\n| :-- | --: |\n| 2020 | 5 euros [@a] |\n| 2021 | \\| 6 euros |';
    expect(plainOf(table)).toEqual(['2020; 5 euros', '2021; | 6 euros']);
  });

  test('a bold label belongs to the sentence behind it, in the same line or the next', () => {
    expect(plainOf('**Cost.** It rose [@a]. It fell.')).toEqual(['Cost. It rose.', 'It fell.']);
    expect(plainOf('**Cost.**\nIt rose [@a]. It fell.')).toEqual(['Cost. It rose.', 'It fell.']);
    expect(plainOf('**Cost alone.**')).toEqual(['Cost alone.']);
  });

  test('items are parted without blank lines, and their markers belong to no sentence', () => {
    const items = statementsOf({
      id: 'p',
      title: 'P',
      markdown: '- One [@a].\n- Two. Three.\n  1. Four\n  2. Five',
    });
    expect(items.map(({ text }) => text)).toEqual(['One [@a].', 'Two.', 'Three.', 'Four', 'Five']);
  });

  test('a line without letters says nothing', () => {
    expect(plainOf('1,234.\n\n---\n\nThey are people [@a].')).toEqual(['They are people.']);
  });
});
