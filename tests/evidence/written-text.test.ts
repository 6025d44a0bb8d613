import fc from 'fast-check';
import type { TextStatement, WrittenText } from '../../src/contracts/draft';
import type { ClaimVerdict } from '../../src/contracts/finding';
import {
  editText,
  parseText,
  removeWrongStatements,
  statementsOf,
  statementsToMend,
  textMarkdown,
  wrongStatements,
} from '../../src/evidence/written-text';
import { LONG_TEXT } from './long-text';

const plainOf = (markdown: string): string[] =>
  statementsOf({ id: 'section-1', title: 'A title', markdown }).map(({ plain }) => plain);

describe('parts', () => {
  test('of a whole text: the summary, sections in order and the limits, under the title', () => {
    const { title, parts } = parseText(LONG_TEXT, 'How many jobs?');
    expect(title).toBe('Passenger numbers and jobs at a small airport');
    expect(parts.map(({ id, title: heading }) => [id, heading])).toEqual([
      ['summary', 'Executive Summary'],
      ['section-1', 'How many jobs are on site'],
      ['limits', 'Limits and open questions'],
    ]);
  });

  test('keep their Markdown byte for byte', () => {
    const [, body = ''] = LONG_TEXT.split(/^# .*\n\n/);
    expect(textMarkdown(parseText(LONG_TEXT, 'How many jobs?'))).toBe(body.trim());
  });

  test('a text without a title has that of the question', () => {
    expect(parseText('## Costs\n\nThey rose [@a].', 'Do costs rise?').title).toBe('Do costs rise?');
  });

  test('text before the first heading belongs to the summary', () => {
    const alone = parseText('# T\n\nCosts rise [@a].\n\n## Costs\n\nThey do.', 'Q?');
    expect(alone.parts.map(({ id, markdown }) => [id, markdown])).toEqual([
      ['summary', 'Costs rise [@a].'],
      ['section-1', 'They do.'],
    ]);
    const before = parseText('# T\n\nFor the board.\n\n## Executive Summary\n\n- Costs rise [@a].', 'Q?');
    expect(before.parts).toEqual([
      { id: 'summary', title: 'Executive Summary', markdown: 'For the board.\n\n- Costs rise [@a].' },
    ]);
  });

  test('only the last part tells limits, and a part without text is none', () => {
    const text =
      '## Summary\n\nA one.\n\n## Speed limits\n\nB two.\n\n## Empty\n\n## Open questions\n\nC three.';
    expect(parseText(text, 'Q?').parts.map(({ id, title }) => [id, title])).toEqual([
      ['summary', 'Summary'],
      ['section-1', 'Speed limits'],
      ['limits', 'Open questions'],
    ]);
  });

  test('the last part tells limits after text before the summary', () => {
    const text =
      '# T\n\nFor the board.\n\n## Summary\n\nA one.\n\n## Costs\n\nB two.\n\n## Limits\n\nC three.';
    expect(parseText(text, 'Q?').parts.map(({ id }) => id)).toEqual(['summary', 'section-1', 'limits']);
  });
});

describe('statements', () => {
  test('of the long text, in order, with what they cite', () => {
    const { statements } = parseText(LONG_TEXT, 'Q?');
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

const long = parseText(LONG_TEXT, 'Q?');

const section = (markdown: string): WrittenText => parseText(`# T\n\n## Costs\n\n${markdown}`, 'Q?');

function idOf({ statements }: WrittenText, beginning: string): string {
  const found = statements.find(({ text }) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`no statement begins with ${beginning}`);
  return found.id;
}

/** The section's Markdown with these statements deleted. */
function without(markdown: string, ...beginnings: string[]): string {
  const text = section(markdown);
  const edits = beginnings.map((one) => ({ statementId: idOf(text, one), text: '', reason: 'wrong' }));
  return editText(text, edits).parts[0]?.markdown ?? '';
}

describe('what is not named stays byte for byte', () => {
  const anyStatement = fc.constantFrom(...long.statements.map(({ id }) => id));

  test('when one statement is replaced', () => {
    fc.assert(
      fc.property(anyStatement, (id) => {
        const before = long.statements.findIndex((one) => one.id === id);
        const old = long.statements[before];
        const text =
          old?.text.startsWith('|') === true ? '| New | row | of | four [@x.y] |' : 'A new $1 $& one [@x.y].';
        const edited = editText(long, [{ statementId: id, text, reason: 'wrong' }]);
        const nth = long.statements.slice(0, before).filter((one) => one.text === old?.text).length;
        // The long text has no heading with the words of a statement.
        const pieces = textMarkdown(long).split(old?.text ?? '');
        const expected = [
          pieces.slice(0, nth + 1).join(old?.text),
          pieces.slice(nth + 1).join(old?.text),
        ].join(text);
        expect(textMarkdown(edited)).toBe(expected);
        expect(edited.statements.filter((one) => one.id !== id)).toEqual(
          long.statements.filter((one) => one.id !== id),
        );
        expect(edited.statements[before]).toMatchObject({ id, text, sourceIds: ['x.y'], verdict: null });
        expect(edited.changes).toMatchObject([{ before: old?.text, after: text, reason: 'wrong' }]);
      }),
    );
  });

  test('when any are deleted: the others stand in their order, and read again they are the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyStatement), (ids) => {
        const edited = editText(
          long,
          ids.map((statementId) => ({ statementId, text: '', reason: 'wrong' })),
        );
        const kept = long.statements.filter(({ id }) => !ids.includes(id));
        expect(edited.statements).toEqual(kept);
        const again = parseText(`# T\n\n${textMarkdown(edited)}`, 'Q?');
        expect(again.statements.map(({ text }) => text)).toEqual(kept.map(({ text }) => text));
        expect(textMarkdown(edited)).not.toMatch(/\n{3}|[ \t]$|^\s*[-*]\s*$|^\d+\.\s*$/m);
        expect(edited.parts.every(({ markdown }) => markdown === markdown.trim())).toBe(true);
      }),
    );
  });

  test('where nothing is edited, or an unknown statement', () => {
    const text = section('### Empty\n\n### Costs\n\n\n\nThey rose [@a].');
    expect(editText(text, [])).toEqual(text);
    expect(editText(text, [{ statementId: 'T9', text: 'X.', reason: '' }])).toEqual(text);
    const same = text.statements[0]?.text ?? '';
    expect(editText(text, [{ statementId: 'T1', text: same, reason: '' }])).toEqual(text);
  });

  test('a heading or the head of a table with the words of a statement', () => {
    const markdown =
      '### Costs rose.\n\nCosts rose.\n\n| Costs rose. | by |\n| --- | --- |\n| Fares | 5 |\n\nCosts rose.';
    const text = section(markdown);
    const [first, , last] = text.statements;
    const edit = (id = ''): string =>
      editText(text, [{ statementId: id, text: 'Costs fell.', reason: '' }]).parts[0]?.markdown ?? '';
    expect(edit(first?.id)).toBe(markdown.replace('\n\nCosts rose.', '\n\nCosts fell.'));
    expect(edit(last?.id)).toBe(markdown.replace(/Costs rose\.$/, 'Costs fell.'));
  });
});

describe('deletion', () => {
  test.each([
    ['the first sentence of a paragraph', 'A a [@x]. B b. C c.', ['A'], 'B b. C c.'],
    ['a sentence between others', 'A a [@x]. B b. C c.', ['B'], 'A a [@x]. C c.'],
    ['the last sentence', 'A a [@x]. B b. C c.', ['C'], 'A a [@x]. B b.'],
    ['a paragraph', 'A a.\n\nB b. C c.\n\nD d.', ['B', 'C'], 'A a.\n\nD d.'],
    ['a wrapped line', 'A a.\nB b.\nC c.', ['B'], 'A a.\nC c.'],
    ['an item with its marker', '- A a.\n- B b.\n- C c.', ['B'], '- A a.\n- C c.'],
    ['the first item', '1. A a.\n2. B b.', ['A'], '2. B b.'],
    ['a sentence of an item', '- A a. B b.\n- C c.', ['A'], '- B b.\n- C c.'],
    ['all sentences of an item', '- A a. B b.\n- C c.', ['A', 'B'], '- C c.'],
    ['an item with a label', '- **Cost.** A a [@x].\n- B b.', ['**Cost'], '- B b.'],
    [
      'a row',
      '| H | I |\n| --- | --- |\n| A | 1 |\n| B | 2 |',
      ['| A'],
      '| H | I |\n| --- | --- |\n| B | 2 |',
    ],
    [
      'the last row, with its head',
      'A a.\n\n| H | I |\n| --- | --- |\n| B | 2 |\n\nC c.',
      ['| B'],
      'A a.\n\nC c.',
    ],
    [
      'all under a heading, with it',
      'A a.\n\n### Two\n\nB b.\n\n### Three\n\nC c.',
      ['B'],
      'A a.\n\n### Three\n\nC c.',
    ],
    ['the last under a heading', 'A a.\n\n### Two\n\nB b.', ['B'], 'A a.'],
    [
      'another sentence than that under a heading of headings',
      'A a. Z z.\n\n### Two\n\n#### Three\n\nB b.',
      ['Z'],
      'A a.\n\n### Two\n\n#### Three\n\nB b.',
    ],
    ['all under a heading of headings', 'A a.\n\n### Two\n\n#### Three\n\nB b.', ['B'], 'A a.'],
    ['the only sentence of a section', 'A a.', ['A'], ''],
  ])('of %s', (_what, markdown, deleted, expected) => {
    expect(without(markdown, ...deleted)).toBe(expected);
  });

  test('of all of a section takes the section', () => {
    const text = parseText('# T\n\n## Costs\n\nA a. B b.\n\n## Fares\n\nC c.', 'Q?');
    const edits = ['T1', 'T2'].map((statementId) => ({ statementId, text: '', reason: '' }));
    expect(editText(text, edits).parts.map(({ title }) => title)).toEqual(['Fares']);
  });
});

test('the sentences of a replacement have ids of their own, also where it is replaced again', () => {
  const mend = (text: WrittenText, written: string): WrittenText =>
    editText(text, [{ statementId: 'T1', text: written, reason: '' }]);
  const twice = mend(mend(section('A a. B b.'), 'C c [@x]. D d.'), 'E e. F f.');
  expect(twice.parts[0]?.markdown).toBe('E e. F f. D d. B b.');
  const ids = twice.statements.map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(twice.statements.map(({ text }) => text)).toEqual(['E e.', 'F f.', 'D d.', 'B b.']);
});

describe('wrong statements', () => {
  const verdictOf = (verdict: ClaimVerdict['verdict']): ClaimVerdict => ({
    verdict,
    code: 'critic',
    reason: `It is ${verdict}.`,
    evidence: null,
    probability: null,
  });
  const judged = (...given: Partial<TextStatement>[]): WrittenText => {
    const text = section('A a [@x]. B b [@x]. C c. D d [@x]. E e.');
    return { ...text, statements: text.statements.map((one, at) => ({ ...one, ...given[at] })) };
  };
  const text = judged(
    { verdict: verdictOf('supported') },
    { verdict: verdictOf('contradicted'), severity: 'wrong' },
    { verdict: verdictOf('unsupported') },
    { verdict: verdictOf('partial'), severity: 'wording' },
    { verdict: verdictOf('unchecked') },
  );

  test('are refused ones, but for mere wording and what nobody checked', () => {
    expect(wrongStatements(text).map(({ id }) => id)).toEqual(['T2', 'T3']);
  });

  test('and numbers that stand nowhere stay, where a critic has confirmed them', () => {
    const verdict = { ...verdictOf('inference'), code: 'number-absent' as const };
    const doubtful = judged({ verdict }, { verdict: verdictOf('unchecked') });
    expect(statementsToMend({ ...doubtful, isChecked: true })).toEqual([]);
    expect(wrongStatements(doubtful)).toEqual([]);
  });

  test('and what says a little too much is to be mended the first time', () => {
    const idsToMend = (of: WrittenText): string[] => statementsToMend(of).map(({ id }) => id);
    expect(idsToMend(text)).toEqual(['T2', 'T3', 'T4']);
    const change = { partId: 'section-1', before: 'A.', after: null, reason: 'It is wrong.' };
    expect(idsToMend({ ...text, changes: [change] })).toEqual(['T2', 'T3']);
  });

  test('are taken out and listed', () => {
    const { parts, removed, changes } = removeWrongStatements(text);
    expect(parts[0]?.markdown).toBe('A a [@x]. D d [@x]. E e.');
    expect(removed).toMatchObject([
      { partId: 'section-1', text: 'B b.', sourceIds: ['x'], verdict: 'contradicted' },
      { partId: 'section-1', text: 'C c.', sourceIds: [], verdict: 'unsupported' },
    ]);
    expect(changes.map(({ after, reason }) => [after, reason])).toEqual([
      [null, 'It is contradicted.'],
      [null, 'It is unsupported.'],
    ]);
    const right = judged({ verdict: verdictOf('supported') });
    expect(removeWrongStatements(right)).toBe(right);
  });
});
