import type { AnswerPassage } from '../../../src/contracts/answer';
import { planSearchExtractively } from '../../../src/engines/extractive/extractive-steps';
import { answerExtractively } from '../../../src/engines/extractive/quoted-answer';
import { compressExtractively } from '../../../src/engines/extractive/quotes';
import { citedIds } from '../../../src/lib/citation-marks';
import { type AnswerInput, AnswerOutput } from '../../../src/steps/answer-question';

describe('answer', () => {
  function passage(at: number, text: string, changes: Partial<AnswerPassage> = {}): AnswerPassage {
    return {
      id: `P${at}`,
      sourceId: `source-${at}`,
      document: `source-${at}`,
      title: '',
      url: null,
      pages: null,
      start: 0,
      end: text.length,
      text,
      origin: 'text',
      score: 0.5,
      ...changes,
    };
  }

  async function asked(
    question: string,
    passages: AnswerPassage[],
    changes: Partial<AnswerInput> = {},
  ): Promise<AnswerOutput> {
    const given = { question, passages, history: [], counts: { sentences: 100, holders: {} } };
    const settings = { answerable: 0.95, synthesisMode: false, maxTokens: 400, temperature: 0.7 };
    return AnswerOutput.parse(await answerExtractively({ ...given, ...settings, ...changes }));
  }

  const WHY = 'Why were paper kites flown in Harbin?';

  const KITES = [
    passage(
      1,
      'Kites of paper were flown for many reasons. Paper kites were flown in Harbin to measure the wind.',
    ),
    passage(2, 'The harvest of rice was poor in that year, and prices rose in every town.'),
  ];

  test('An answer opens with the sentence that answers, word for word, with its mark', async () => {
    const { markdown, sentences, missing } = await asked(WHY, KITES);

    expect(sentences[0]).toMatchObject({
      plain: 'Paper kites were flown in Harbin to measure the wind.',
      passageIds: ['P1'],
    });
    expect(markdown.indexOf(sentences[0]?.text ?? '–')).toBeLessThanOrEqual(2);
    expect(citedIds(markdown)).not.toContain('P2');
    expect(missing).toBeNull();
  });

  test('hears the web page beside two passages of a PDF', async () => {
    const pdf = { sourceId: 'paper', document: 'DAIL-SQL_paper.pdf', title: 'DAIL-SQL_paper.pdf' };
    const url = 'https://example.org/release';
    const { markdown } = await asked('What is DAIL-SQL?', [
      passage(1, 'DAIL-SQL uses example-based learning with carefully selected demonstrations.', pdf),
      passage(2, 'DAIL-SQL achieves 86.6% execution accuracy on the Spider benchmark.', {
        ...pdf,
        start: 100,
        end: 167,
      }),
      passage(3, 'The method was released as open source in 2023.', { title: 'DAIL-SQL released', url }),
    ]);
    expect([...new Set(citedIds(markdown))].sort()).toEqual(['P1', 'P2', 'P3']);
  });

  test('each sentence of an answer is in its Markdown and word for word in a cited passage', async () => {
    const passages = [
      ...KITES,
      passage(3, 'Kites of silk were flown in Harbin at court. Wind carried the kites far.'),
    ];
    const { markdown, sentences } = await asked(WHY, passages);

    for (const { text, plain, passageIds } of sentences) {
      expect(markdown).toContain(text);
      expect(passages.find(({ id }) => id === passageIds[0])?.text).toContain(plain);
    }
  });

  test('The same sentence of two documents is one claim that cites both', async () => {
    const sentence = 'Paper kites were flown in Harbin to measure the wind.';
    const { sentences } = await asked(WHY, [passage(1, sentence), passage(2, sentence)]);

    expect(sentences).toHaveLength(1);
    expect(sentences[0]?.passageIds).toEqual(['P1', 'P2']);
  });

  test('sentences that contradict each other stand side by side, and the second says so', async () => {
    const { markdown, sentences } = await asked('When did the Harbin bridge open?', [
      passage(1, 'The Harbin bridge did open on 3 May 1931.'),
      passage(2, 'The Harbin bridge did open on 9 June 1937.'),
    ]);

    expect(sentences).toHaveLength(2);
    expect(sentences[1]?.text).toMatch(/^In conflict with this/);
    expect(markdown).toContain(sentences[1]?.text ?? '–');
  });

  test('both sides of a yes or no are told', async () => {
    const { sentences } = await asked('Is Harlow Bridge safe?', [
      passage(1, 'Harlow Bridge is safe, the council wrote to all residents.'),
      passage(2, 'Inspectors found that Harlow Bridge is not safe.'),
    ]);

    expect(sentences.map(({ passageIds }) => passageIds[0]).sort()).toEqual(['P1', 'P2']);
    expect(sentences[1]?.text).toMatch(/^In conflict with this/);
  });

  test('an answer has five sentences at most', async () => {
    const text = (at: number): string =>
      `Paper kites of ${at} metres were flown in Harbin to measure wind of ${at + 40} km/h.`;
    const many = Array.from({ length: 12 }, (_, at) => passage(at + 1, text(at + 2)));
    const { sentences } = await asked(WHY, many);

    expect(sentences).toHaveLength(5);
  });

  test('An answer takes no more tokens than it may', async () => {
    const text = (at: number): string =>
      `Paper kites of workshop ${at + 2} were flown in Harbin to measure wind number ${at + 40}.`;
    const many = Array.from({ length: 30 }, (_, at) => passage(at + 1, text(at)));
    const { markdown } = await asked(WHY, many, { maxTokens: 100 });

    expect(markdown).not.toBe('');
    expect(markdown.length / 4).toBeLessThanOrEqual(100);
  });

  test('an unanswerable question gives no sentence, and quotes the nearest one under a caution', async () => {
    const question = 'Does copper change the colour of roof tiles?';
    const { markdown, sentences, missing } = await asked(question, KITES, { answerable: 0.05 });

    expect(markdown).toBe('');
    expect(sentences).toEqual([]);
    expect(missing).toMatch(/^The nearest passage, which may not answer it: “[^”]+” \(source-\d\)\.$/);
    const quote = /“([^”]+)”/.exec(missing ?? '')?.[1] ?? '';
    expect(KITES.some(({ text }) => text.includes(quote))).toBe(true);
  });

  test('A passage about another of the same kind does not answer for what is named', async () => {
    const { sentences } = await asked('What is the height of the Brixham Tower?', [
      passage(1, 'The height of the tower is 40 metres.', { title: 'Mill tower of Dorking' }),
    ]);

    expect(sentences).toEqual([]);
  });
});

describe('compress', () => {
  const TEXT =
    'Walking is common in many towns. Blood pressure fell by 4.2 mmHg in those who walked. The office was repainted at the time. Weight fell by 3 kg in 12 weeks among the walkers.';

  function shortened(text: string, maxChars: number): string {
    const { summaries } = compressExtractively({
      question: 'Does walking lower blood pressure?',
      passages: [{ id: 'P1', text }],
      maxChars,
    });
    return summaries[0]?.text ?? '';
  }

  test('A passage is shortened to whole sentences of its own, those that answer and those with numbers', () => {
    const text = shortened(TEXT, 120);

    expect(text.length).toBeLessThan(120);
    expect(text).toContain('Blood pressure fell by 4.2 mmHg in those who walked.');
    expect(text).toContain('Weight fell by 3 kg in 12 weeks among the walkers.');
    expect(text).not.toContain('repainted');
  });

  test('A passage that is short enough stays as it is', () => {
    expect(shortened(TEXT, 1_000)).toBe(TEXT);
  });

  test('A sentence that is too long is cut at a word', () => {
    const text = shortened(`Blood pressure ${'and the pulse of walkers '.repeat(20)}fell.`, 60);

    expect(text.length).toBeLessThan(60);
    expect(text).toMatch(/\w…$/);
  });
});

describe('plan-search', () => {
  const NEW = { tried: [], gaps: [], most: 4 };

  test('queries are the phrases of the question, together and each with its topic', () => {
    const question = 'Does walking improve sleep quality in older adults?';
    expect(planSearchExtractively({ question, ...NEW }).queries).toEqual([
      'walking sleep quality older adults',
      'walking sleep quality',
      'walking older adults',
    ]);
  });

  test('queries join the topic of the question with each gap, without repeats', () => {
    const question = 'Does walking improve sleep quality in older adults?';
    const gaps = ['What is known about “sleep apnoea”?', 'What is known about “sleep quality”?'];
    const tried = ['walking sleep quality'];
    expect(planSearchExtractively({ question, tried, gaps, most: 4 }).queries).toEqual([
      'walking sleep apnoea',
    ]);
  });

  test('a question of function words is the query itself', () => {
    expect(planSearchExtractively({ question: 'Who is it?', ...NEW }).queries).toEqual(['Who is it?']);
  });

  test('a gap about too few results adds no query words', () => {
    const question = 'Does walking improve sleep quality in older adults?';
    const gaps = ['Studies on just this?', 'More studies on just this?'];
    expect(planSearchExtractively({ question, tried: [], gaps, most: 4 }).queries).toEqual([]);
  });
});
