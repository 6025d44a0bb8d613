import fc from 'fast-check';
import type { AnswerPassage } from '../../src/contracts/answer/answer-passage';
import type { Page } from '../../src/contracts/source/source';
import { buildCorpusIndex } from '../../src/retrieval/corpus-index';
import { type Retrieval, retrievePassages } from '../../src/retrieval/retrieve';

type Corpus = Readonly<Record<string, string>>;

const CORPUS: Corpus = {
  tea: 'Green tea is drunk in many countries. In the trial, green tea lowered blood pressure by 3 mmHg after 12 weeks. Nobody left the trial.',
  walking: 'Walking is cheap. Walking for an hour a day lowered blood pressure in two of three groups.',
  bridges: 'The bridge was opened in 1932. It carries eight lanes of traffic and two railway tracks.',
};
const QUESTION = 'Does green tea lower blood pressure?';

function over(corpus: Corpus, pages?: Page[]): Pick<Retrieval, 'index' | 'textOf'> {
  const index = buildCorpusIndex(
    Object.entries(corpus).map(([id, content]) => ({
      entry: { id, title: `About ${id}`, url: null, ...(pages ? { pages } : {}) },
      content,
    })),
  );
  return { index, textOf: (id) => corpus[id] };
}

const given = (id: string, text: string, score: number): AnswerPassage => ({
  id: 'P1',
  sourceId: id,
  document: `${id}.pdf`,
  title: id,
  url: null,
  pages: { from: 3, to: 3 },
  start: 10,
  end: 10 + text.length,
  text,
  origin: 'text',
  score,
});

/** What is retrieved of what was given alone. */
const fromGiven = (...passages: AnswerPassage[]): ReturnType<typeof retrievePassages> =>
  retrievePassages({ question: QUESTION, index: null, textOf: () => undefined, given: passages, most: 5 });
const ROAD = 'The road was closed for a year while the bridge was mended.';
const LOWERED = 'In the trial green tea lowered blood pressure by 3 mmHg.';

describe('retrieving passages', () => {
  it('finds the source that answers, with its place in it', async () => {
    const found = await retrievePassages({ question: QUESTION, ...over(CORPUS), most: 2 });
    const [best] = found.passages;
    expect(best).toMatchObject({ id: 'P1', sourceId: 'tea', document: 'About tea' });
    expect(CORPUS['tea']?.slice(best?.start, best?.end)).toBe(best?.text);
    expect(found.searched).toEqual({ documents: 3, passages: 3 });
    expect(found.counts).toMatchObject({ holders: { tea: 2, blood: 2 } });
  });

  it('calls a document by the name of its file, and else by its title', async () => {
    const content = CORPUS['tea'] ?? '';
    const entry = { id: 'tea', title: 'About tea', file: 'tea.pdf', url: null };
    const index = buildCorpusIndex([{ entry, content }]);
    const found = await retrievePassages({ question: QUESTION, index, textOf: () => content, most: 1 });
    expect(found.passages).toMatchObject([{ document: 'tea.pdf', title: 'About tea' }]);
  });

  it('has the beginning of what is far too long for a passage', async () => {
    const table = `Green tea lowered blood pressure ${'by 3 mmHg | by 4 mmHg | '.repeat(2_000)}in the trial.`;
    const [passage] = (await retrievePassages({ question: QUESTION, ...over({ table }), most: 1 })).passages;
    expect(passage?.text.length).toBeGreaterThan(500);
    expect(passage?.text.length).toBeLessThanOrEqual(2_000);
    expect(table.slice(passage?.start, passage?.end)).toBe(passage?.text);
  });

  it('counts documents by their sources, whatever they are called', async () => {
    const called = (id: string, text: string) => ({ ...given(id, text, 0.4), document: 'Minutes.pdf' });
    const found = await fromGiven(called('a', LOWERED), called('b', ROAD));
    expect(found.searched).toEqual({ documents: 2, passages: 2 });
  });

  it('tells what answers from what does not', async () => {
    const answers = await retrievePassages({ question: QUESTION, ...over(CORPUS), most: 2 });
    const { bridges = '' } = CORPUS;
    const not = await retrievePassages({ question: QUESTION, ...over({ bridges }), most: 2 });
    expect(answers.answerable).toBeGreaterThan(not.answerable);
    expect(not.passages).toEqual([]);
  });

  it('ranks what was given without a corpus, and keeps its pages and places', async () => {
    const found = await fromGiven(given('roads', ROAD, 0.4), given('study', LOWERED, 0.4));
    expect(found.passages.map(({ id, sourceId }) => `${id} ${sourceId}`)).toEqual(['P1 study', 'P2 roads']);
    expect(found.passages.filter(({ score }) => score < 0.4)).toEqual([]);
    expect(found.passages[0]).toMatchObject({ document: 'study.pdf', pages: { from: 3, to: 3 }, start: 10 });
    expect(found.searched).toEqual({ documents: 2, passages: 2 });
    expect(found.counts).toMatchObject({ sentences: 2, holders: { tea: 1 } });
  });

  it('has what fits best by its giver first, where they say as much', async () => {
    const lowered = (by: number): string => `In the trial green tea lowered blood pressure by ${by} mmHg.`;
    const scores = { least: 0.1, best: 0.9, middle: 0.5 };
    const all = Object.entries(scores).map(([id, score], at) => given(id, lowered(at + 3), score));
    const { passages } = await fromGiven(...all);
    expect(passages[0]).toMatchObject({ sourceId: 'best' });
  });

  it('brings what was given and what is found together', async () => {
    const found = await retrievePassages({
      question: QUESTION,
      ...over(CORPUS),
      given: [given('study', 'In another trial green tea did not lower the blood pressure of adults.', 0.8)],
      most: 3,
    });
    const sources = found.passages.map(({ sourceId }) => sourceId);
    expect(sources).toHaveLength(3);
    expect(sources).toEqual(expect.arrayContaining(['study', 'tea', 'walking']));
    expect(found.searched).toEqual({ documents: 4, passages: 4 });
  });

  it('finds by another wording what the question’s words do not find', async () => {
    const asked = { question: 'Is strolling good for hypertension?', ...over(CORPUS), most: 1 };
    expect((await retrievePassages(asked)).passages).toEqual([]);
    const queries = [asked.question, 'Does walking lower blood pressure?'];
    expect((await retrievePassages({ ...asked, queries })).passages[0]?.sourceId).toBe('walking');
  });

  it('says nothing twice: not the overlap of two passages, nor a text that two sources have', async () => {
    const facts = Array.from(
      { length: 60 },
      (_, at) => `In year ${1900 + at} green tea lowered the blood pressure of ${at + 20} sailors by 3 mmHg.`,
    );
    const corpus = { log: facts.join(' '), copy: CORPUS['tea'] ?? '', tea: CORPUS['tea'] ?? '' };
    const { passages } = await retrievePassages({ question: QUESTION, ...over(corpus), most: 40 });
    const said = passages.map(({ text }) => text).join(' ');
    for (const fact of facts) expect(said.split(fact).length).toBeLessThanOrEqual(2);
    expect(passages.filter(({ text }) => text === CORPUS['tea'])).toHaveLength(1);
    expect(passages.length).toBeGreaterThan(2);
  });

  it('cites the one page on which a passage stands, that of its best sentence first', async () => {
    const texts = [
      'The trial of tea had 80 members.',
      'Green tea lowered blood pressure by 3 mmHg.',
      'Tea was paid for by a shop.',
    ];
    const content = texts.join('\n\n');
    const pages = texts.map((text, at) => {
      const start = content.indexOf(text);
      return { number: at + 1, start, end: start + text.length };
    });
    const asked = { question: QUESTION, ...over({ tea: content }, pages), most: 5 };
    const { passages } = await retrievePassages(asked);
    expect(passages.map(({ text }) => text)).toEqual([texts[1], texts[0], texts[2]]);
    expect(passages.map(({ pages: on }) => on)).toEqual([2, 1, 3].map((page) => ({ from: page, to: page })));
  });

  it('gives whole sentences where they stand, of any corpus, with their pages', async () => {
    const words = ['green', 'tea', 'pressure', 'blood', 'sailors', 'year', 'lowered', '3.5', 'ships'];
    const word = fc.constantFrom(...words);
    const sentence = fc.array(word, { minLength: 4, maxLength: 30 }).map((all) => `The ${all.join(' ')}.`);
    const content = fc.array(sentence, { minLength: 1, maxLength: 60 }).map((all) => all.join(' '));
    const corpora = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), content, { minKeys: 1, maxKeys: 20 });
    await fc.assert(
      fc.asyncProperty(corpora, fc.integer({ min: 1, max: 30 }), async (corpus, most) => {
        const pages = [
          { number: 1, start: 0, end: 700 },
          { number: 2, start: 700, end: 1_000_000 },
        ];
        const { passages } = await retrievePassages({ question: QUESTION, ...over(corpus, pages), most });
        expect(passages.length).toBeLessThanOrEqual(most);
        passages.forEach(({ id, sourceId, start, end, text, pages: on }, at) => {
          expect(id).toBe(`P${at + 1}`);
          expect(corpus[sourceId]?.slice(start, end)).toBe(text);
          expect(text).toMatch(/^The .*\.$/s);
          expect(on).toEqual({ from: start < 700 ? 1 : 2, to: end > 700 ? 2 : 1 });
        });
      }),
      { seed: 11, numRuns: 60 },
    );
  });
});
