import fc from 'fast-check';
import { answerableProbability, ANSWERED_FROM } from '../../src/reading/collection/answerable';
import { chooseSentences, CHOICE, nearBestAmong, sourcesNearBest } from '../../src/reading/choose-sentences';
import { indexSources, type ReadableSource } from '../../src/reading/collection/collection';
import { readQuestion } from '../../src/reading/question/question';
import { rankSentences } from '../../src/reading/rank-sentences';
import { addCounts, countWords, rarityOf } from '../../src/reading/features/rarity';
import { readIndexed } from '../../src/reading/features/read-features';
import { sentencesOfSource } from '../../src/reading/collection/read-source';
import { resultScore } from '../../src/reading/features/result-score';
import { surveyTexts } from '../../src/reading/collection/survey-texts';

/** Towns with a sentence each that many of them share, and one of their own. */
function towns(size: number): ReadableSource[] {
  return Array.from({ length: size }, (_, at) => ({
    id: `town-${at}`,
    title: `Town ${at}`,
    sentences: ['The market is held on Fridays.', `The mayor of the town has had office ${at} since spring.`],
  }));
}

const HARBOUR: ReadableSource = {
  id: 'harbour',
  title: 'The harbour of Oxley',
  sentences: [
    'Oxley lies by the sea.',
    'Dredging the harbour of Oxley cost two million crowns.',
    'Ships wait outside for the tide.',
  ],
};

const ASKED = 'What did dredging the harbour of Oxley cost?';

function reading(question: string, sources: readonly ReadableSource[]) {
  const collection = indexSources(sources);
  const read = readIndexed(readQuestion(question), collection);
  const ranked = rankSentences(read);
  return { collection, ranked, probability: answerableProbability(read, ranked) };
}

describe('sentences ranked for a question', () => {
  it('begin with the one that answers it', () => {
    const { collection, ranked } = reading(ASKED, [...towns(40), HARBOUR]);
    expect(collection.texts[ranked[0]?.sentence ?? -1]).toBe(HARBOUR.sentences[1]);
    expect(ranked[0]?.coverage).toBeCloseTo(1);
  });

  it('stand at their places in whatever text, and never throw', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, fc.string({ unit: 'binary', maxLength: 80 }), (contents, question) => {
        const sources = contents.map((content, at): ReadableSource => {
          const sentences = sentencesOfSource(content);
          for (const { start, end, text } of sentences) expect(content.slice(start, end)).toBe(text);
          return { id: `${at}`, title: question, sentences: sentences.map(({ text }) => text) };
        });
        const { collection, ranked, probability } = reading(question, sources);
        expect(new Set(ranked.map(({ sentence }) => sentence)).size).toBe(ranked.length);
        for (const { sentence, source, coverage, score } of ranked) {
          expect(collection.sourceOf[sentence]).toBe(source);
          expect(Number.isFinite(score)).toBe(true);
          expect(coverage).toBeGreaterThanOrEqual(0);
          expect(coverage).toBeLessThanOrEqual(1 + 1e-6);
        }
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a collection', () => {
  it('answers what a source of it says, and not what none says', () => {
    const sources = [...towns(40), HARBOUR];
    const answered = reading(ASKED, sources).probability;
    expect(answered).toBeGreaterThanOrEqual(ANSWERED_FROM);
    expect(reading('How do black holes evaporate?', sources).probability).toBeLessThan(ANSWERED_FROM);
    expect(reading('How do black holes evaporate?', []).probability).toBe(0);
    expect(reading('?', sources).probability).toBe(0);
  });

  it('gives what comes near the best, of each source a few, nothing twice', () => {
    const many = Array.from(
      { length: 6 },
      (_, at) => `The harbour of Oxley was dredged by crew ${'ABCDEF'[at]} ${'again '.repeat(at)}in spring.`,
    );
    const said = { id: 'log', title: 'A log', sentences: [...many, ...HARBOUR.sentences] };
    const sources = [...towns(40), said, HARBOUR, { ...HARBOUR, id: 'copy' }];
    const { collection, ranked } = reading('Who dredged the harbour of Oxley?', sources);
    const chosen = chooseSentences(ranked, collection);
    const texts = chosen.map(({ sentence }) => collection.texts[sentence]);
    expect(new Set(texts).size).toBe(texts.length);
    for (const { source } of chosen) {
      expect(collection.sources[source]?.id).not.toMatch(/^town/);
      expect(chosen.filter((one) => one.source === source).length).toBeLessThanOrEqual(CHOICE.mostOfASource);
    }
    expect(chooseSentences(ranked, collection, { ...CHOICE, most: 1 })).toHaveLength(1);
  });

  it('is heard widely where it is small, and where it was made for the question', () => {
    const asked = readQuestion('What changed in Oxley?');
    expect(nearBestAmong(20, asked)).toBeLessThan(nearBestAmong(100, asked));
    expect(nearBestAmong(100_000, asked)).toBe(CHOICE.nearBest);
    expect(nearBestAmong(20, readQuestion('When was Oxley founded?'))).toBe(CHOICE.nearBest);
    const narrow = reading(ASKED, [...towns(40), HARBOUR]);
    expect(sourcesNearBest(narrow.ranked, 41)).toHaveLength(1);
    const made = reading('When is the market held in town?', towns(40));
    expect(sourcesNearBest(made.ranked, 40)).toHaveLength(40);
  });
});

describe('the rarity of words', () => {
  const question = 'What did the harbour of Oxley cost?';
  const texts = [
    'The harbour is old. A harbour costs money.',
    'Oxley has a harbour.',
    'Nothing of the kind.',
  ];

  it('is counted in parts of a collection as in the whole', () => {
    const whole = surveyTexts(question, texts).counts;
    expect(addCounts(texts.map((text) => surveyTexts(question, [text]).counts))).toEqual(whole);
    expect(whole).toEqual({ sentences: 4, holders: { harbour: 3, oxley: 1, cost: 1 } });
  });

  it('is counted once a sentence', () => {
    const collection = indexSources([{ id: 'a', title: '', sentences: ['Harbour by harbour.', 'No port.'] }]);
    const counts = countWords(readQuestion('harbour'), collection);
    expect(counts).toEqual({ sentences: 2, holders: { harbour: 1 } });
  });

  it('is greater for what stands in fewer sentences, and before anything is read for longer words', () => {
    expect(rarityOf('harbour', 1, 5_000)).toBeGreaterThan(rarityOf('harbour', 900, 5_000));
    expect(rarityOf('dredging', 0, 0)).toBeGreaterThan(rarityOf('sea', 0, 0));
    expect(rarityOf('harbour', 5_000, 5_000)).toBeGreaterThan(0);
  });
});

describe('the result score', () => {
  it.each([
    ['Sales rose by 12% after the change (p < 0.01).', 'The aim of this study was to examine sales.'],
    ['There was no significant difference between the groups.', 'Patients were assigned to two groups.'],
    ['The new method significantly reduced errors.', 'In this paper we describe how errors were counted.'],
  ])('puts “%s” before “%s”', (result, other) => {
    expect(resultScore(result)).toBeGreaterThan(resultScore(other));
  });

  it('goes by what is reported, not by how much it is, and takes any text', () => {
    expect(resultScore('Sales rose by 12%.')).toBe(resultScore('Sales rose by 97%.'));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(Number.isFinite(resultScore(text))).toBe(true);
      }),
    );
  });
});
