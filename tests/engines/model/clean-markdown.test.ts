import fc from 'fast-check';
import {
  citationRewriter,
  cleanMarkdown,
  PASSAGE_NUMBERS,
  SHORT_IDS,
} from '../../../src/engines/model/clean-markdown';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const idOf = (name: string): string | undefined => IDS[Number(name.replace('S', '')) - 1];

/** The blocks of a text, as a reader of reports gets them. */
function read(blocks: string[], texts: string[] = [], form = SHORT_IDS): string {
  const forms = citationRewriter(idOf, form, texts);
  return blocks.map((block) => cleanMarkdown(block, idOf, form, forms).markdown).join('\n\n');
}

const A = '[@a]';
const AC = '[@a; @c]';

/** How models write that S1 is cited, or S1 and S3. */
const LABELLED: [string, string][] = [
  ['[S1]', A],
  ['【S1】', A],
  ['【S1†L3-L5】', A],
  ['［S1］', A],
  ['[[S1]]', A],
  ['[[S1]](https://example.org/a_(b))', A],
  ['[S1](https://example.org)', A],
  ['\\[S1\\]', A],
  ['[**S1**]', A],
  ['<sup>[S1]</sup>', A],
  ['<sup>S1</sup>', A],
  ['<cite>S1</cite>', A],
  ['[^S1]', A],
  ['^[S1]', A],
  ['[cite: S1]', A],
  ['[cite: 1]', A],
  ['[citation:1]', A],
  ['[Source 1]', A],
  ['[source_1]', A],
  ['[Source: S1]', A],
  ['(Source S1)', A],
  ['(Source 1)', A],
  ['(S1)', A],
  ['(S1, p. 12)', A],
  ['[S1, pp. 12–14]', A],
  ['[S1: A trial of two years]', A],
  ['[S1, S3]', AC],
  ['[S1; S3]', AC],
  ['[S1, 3]', AC],
  ['[S1 and S3]', AC],
  ['[S1 und S3]', AC],
  ['[S1][S3]', AC],
  ['[[S1], [S3]]', AC],
  ['【S1】【S3】', AC],
  ['<sup>[S1][S3]</sup>', AC],
  ['<sup>S1, S3</sup>', AC],
  ['[cite: S1, S3]', AC],
  ['[cite: 1, 3]', AC],
  ['(Sources S1 and S3)', AC],
  ['(S1; S3)', AC],
  ['[S1-S3]', '[@a; @b; @c]'],
  ['[S1–3]', '[@a; @b; @c]'],
];

/** Numbers alone, read where nothing else can be meant. */
const NUMBERS: [string, string][] = [
  ['[1]', A],
  ['【1】', A],
  ['【1:0†source】', A],
  ['［1］', A],
  ['\\[1\\]', A],
  ['[[1]](https://example.org)', A],
  ['[1](https://example.org)', A],
  ['<sup>[1]</sup>', A],
  ['<sup>1</sup>', A],
  ['[^1]', A],
  ['[1, 3]', AC],
  ['[1][3]', AC],
  ['[1], [3]', AC],
  ['<sup>1,3</sup>', AC],
  ['【1】【3】', AC],
  ['[1-3]', '[@a; @b; @c]'],
];

describe('citations in a text by a model', () => {
  test.each([...LABELLED, ...NUMBERS])(
    '%s is read before a full stop, a comma and in a table',
    (mark, cited) => {
      expect(read([`Falls fell in women ${mark}.`])).toBe(`Falls fell in women ${cited}.`);
      expect(read([`Falls fell${mark}.`])).toBe(`Falls fell ${cited}.`);
      expect(read([`Falls fell ${mark}, and men walked.`])).toBe(`Falls fell ${cited}, and men walked.`);
      const table = `| Who | Falls |\n| --- | --- |\n| Women | fewer falls ${mark} |`;
      expect(read([table])).toContain(`| Women | fewer falls ${cited} |`);
    },
  );

  test.each([...LABELLED, ...NUMBERS])('%s behind a full stop belongs to the sentence', (mark, cited) => {
    expect(read([`Falls fell. ${mark} Men walked.`])).toBe(`Falls fell ${cited}. Men walked.`);
  });

  test('digits above the line are read behind punctuation alone', () => {
    expect(read(['Falls fell.¹ Men walked.'])).toBe('Falls fell [@a]. Men walked.');
    expect(read(['They walked 9 km² and slept 2 m³.'])).toBe('They walked 9 km² and slept 2 m³.');
  });

  test.each([
    ['a number of a text with labels', 'Falls fell [S1]. Men walked [2].', 'Falls fell [@a]. Men walked.'],
    ['numbers beside one that was not given', 'Falls fell [1]. Men walked [17].', 'Falls fell. Men walked.'],
    ['a year', 'Falls fell [2019].', 'Falls fell.'],
    ['a number in the middle of a clause', 'The trial [1] found falls.', 'The trial found falls.'],
    ['an interval', 'The ratio was 2.1 (95% CI [1, 3]).', 'The ratio was 2.1 (95% CI \\[1, 3\\]).'],
    ['an interval of a value', 'The mean was 2 [1, 3].', 'The mean was 2 \\[1, 3\\].'],
    ['an interval in words', 'The 95% confidence interval [1, 3].', 'The 95% confidence interval.'],
    ['a number in a quotation', 'It says “falls fell [1]” of women.', 'It says “falls fell” of women.'],
    ['a number in code', 'Take `falls[1]` and go.', 'Take falls and go.'],
    ['a unit', 'It was 5 m<sup>2</sup>.', 'It was 5 m2.'],
    [
      'a figure',
      'Falls fell (Table 2) and rose [Figure 3].',
      'Falls fell (Table 2) and rose \\[Figure 3\\].',
    ],
    ['a year in parentheses', 'Falls fell (2019).', 'Falls fell (2019).'],
    ['a count in parentheses', 'Falls fell (n: 2).', 'Falls fell (n: 2).'],
  ])('%s is no citation', (_name, text, expected) => {
    expect(read([text])).toBe(expected);
  });

  test('an interval stays in a text with labels', () => {
    expect(read(['The ratio was 2 (95% CI [1, 3]) [S1].'])).toBe('The ratio was 2 (95% CI \\[1, 3\\]) [@a].');
  });

  test('a number that stands behind the same words in a source is the source’s', () => {
    const texts = ['Earlier work found fewer falls [2], and later work [3-5].'];
    expect(read(['There were fewer falls [2].', 'Women walked [2].'], texts)).toBe(
      'There were fewer falls.\n\nWomen walked [@b].',
    );
  });

  test('a list of sources at the end cites nothing', () => {
    expect(read(['Falls fell [1].', '[1] A trial\n[2] Another'])).not.toMatch(/@b/);
  });

  test('numbers behind the first label of a text are no citations', () => {
    expect(read(['Falls fell [1].', 'Men walked [S2].', 'Women ran [3].'])).toBe(
      'Falls fell [@a].\n\nMen walked [@b].\n\nWomen ran.',
    );
  });

  test('a text is the same in every form, wherever its citations are', () => {
    const clause = fc.constantFrom(
      'falls fell in women',
      'men walked more',
      'bones “grew” by 2%',
      'it is *so*',
    );
    const cited = fc.constantFrom<number[]>([1], [3], [1, 3], [2, 4, 5]);
    const sentence = fc.tuple(clause, cited, fc.constantFrom('.', ', and so on.', '; more.'));
    const lists: ((numbers: number[]) => string)[] = [
      (numbers) => numbers.map((number) => `【S${number}】`).join(''),
      (numbers) => numbers.map((number) => `【${number}†L1-L9】`).join(''),
      (numbers) => numbers.map((number) => `[${number}]`).join(''),
      (numbers) => numbers.map((number) => `<sup>[S${number}]</sup>`).join(''),
      (numbers) => numbers.map((number) => `[[S${number}]](https://example.org/${number})`).join(''),
      (numbers) => `[cite: ${numbers.join(', ')}]`,
      (numbers) => `(Sources ${numbers.map((number) => `S${number}`).join(' and ')})`,
      (numbers) => `[${numbers.map((number) => `S${number}`).join('; ')}]`,
      (numbers) => `［${numbers.map((number) => `S${number}`).join(', ')}］`,
    ];
    const written = (
      sentences: [string, number[], string][],
      form: (numbers: number[]) => string,
    ): string[] => sentences.map(([words, numbers, end]) => `In sum, ${words} ${form(numbers)}${end}`);
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...lists),
        (of, form) => {
          const plain = (numbers: number[]): string => numbers.map((number) => `[S${number}]`).join('');
          expect(read(written(of, form))).toBe(read(written(of, plain)));
        },
      ),
      { numRuns: 100, seed: 46 },
    );
  });

  test('no text makes a citation of what was not given, or takes long', () => {
    const signs = fc.string({
      unit: fc.constantFrom(...Array.from('[]【】［］()<>sup/\\^*`$S123,;-–: .†¹“”"\n')),
    });
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 8 }), (pieces) => {
        const cited = [...read([pieces.join('Falls fell ')]).matchAll(/@(\w+)/g)].map((match) => match[1]);
        expect(cited.every((id) => IDS.includes(id ?? ''))).toBe(true);
      }),
      { numRuns: 100, seed: 46 },
    );
    for (const sign of ['[', '【', '(', '[S1', '<sup>', '$', '`', '[1, ', '\\['])
      expect(read([sign.repeat(5_000)])).not.toContain('@b');
  });
});

describe('citations in an answer from numbered passages', () => {
  test.each([
    ['[1]', A],
    ['【1】', A],
    ['[[1]]', A],
    ['\\[1\\]', A],
    ['<sup>1</sup>', A],
    ['<sup>[1]</sup>', A],
    ['[cite: 1]', A],
    ['(Source 1)', A],
    ['[1, 3]', AC],
    ['【1】【3】', AC],
  ])('%s is read', (mark, cited) => {
    expect(read([`Falls fell ${mark}.`], [], PASSAGE_NUMBERS)).toBe(`Falls fell ${cited}.`);
  });

  test('a label of another prompt is none', () => {
    expect(read(['Falls fell [1]. Men walked [S2].'], [], PASSAGE_NUMBERS)).toBe(
      'Falls fell [@a]. Men walked.',
    );
  });
});
