import fc from 'fast-check';
import { ANSWERABLE_THRESHOLD, answerableProbability } from '../../src/text/answerability';
import {
  addCounts,
  countQuestionTerms,
  indexSources,
  type ReadableSource,
  sentencesOfSource,
  smoothedIdf,
  surveyTexts,
} from '../../src/text/collection';
import { readIndexed, resultScore } from '../../src/text/features';
import { readQuestion } from '../../src/text/question';
import { rankSentences } from '../../src/text/ranking';
import {
  DEFAULT_LIMITS,
  isQuotable,
  nearBestFor,
  quotableSentences,
  selectSentences,
  sourcesNearBest,
} from '../../src/text/sentence-selection';
import { groupSources, type PhraseSource, sharedPhrases } from '../../src/text/source-groups';

describe('ranking sentences', () => {
  /** Towns with a sentence each that many of them share, and one of their own. */
  function towns(size: number): ReadableSource[] {
    return Array.from({ length: size }, (_, at) => ({
      id: `town-${at}`,
      title: `Town ${at}`,
      sentences: [
        'The market is held on Fridays.',
        `The mayor of the town has had office ${at} since spring.`,
      ],
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

  describe('rankSentences', () => {
    it('ranks the answer first', () => {
      const { collection, ranked } = reading(ASKED, [...towns(40), HARBOUR]);
      expect(collection.texts[ranked[0]?.sentence ?? -1]).toBe(HARBOUR.sentences[1]);
      expect(ranked[0]?.coverage).toBeCloseTo(1);
    });

    it('keeps offsets and finite scores for any text', () => {
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

  describe('answerable questions and chosen sentences', () => {
    it('is answerable only where a source answers', () => {
      const sources = [...towns(40), HARBOUR];
      const answered = reading(ASKED, sources).probability;
      expect(answered).toBeGreaterThanOrEqual(ANSWERABLE_THRESHOLD);
      expect(reading('How do black holes evaporate?', sources).probability).toBeLessThan(
        ANSWERABLE_THRESHOLD,
      );
      expect(reading('How do black holes evaporate?', []).probability).toBe(0);
      expect(reading('?', sources).probability).toBe(0);
    });

    it('chooses sentences near the best, a few a source, none twice', () => {
      const many = Array.from(
        { length: 6 },
        (_, at) =>
          `The harbour of Oxley was dredged by crew ${'ABCDEF'[at]} ${'again '.repeat(at)}in spring.`,
      );
      const said = { id: 'log', title: 'A log', sentences: [...many, ...HARBOUR.sentences] };
      const sources = [...towns(40), said, HARBOUR, { ...HARBOUR, id: 'copy' }];
      const { collection, ranked } = reading('Who dredged the harbour of Oxley?', sources);
      const chosen = selectSentences(ranked, collection);
      const texts = chosen.map(({ sentence }) => collection.texts[sentence]);
      expect(new Set(texts).size).toBe(texts.length);
      for (const { source } of chosen) {
        expect(collection.sources[source]?.id).not.toMatch(/^town/);
        expect(chosen.filter((one) => one.source === source).length).toBeLessThanOrEqual(
          DEFAULT_LIMITS.mostOfASource,
        );
      }
      expect(selectSentences(ranked, collection, { ...DEFAULT_LIMITS, most: 1 })).toHaveLength(1);
    });

    it('chooses more widely in a small collection and for a broad question', () => {
      const asked = readQuestion('What changed in Oxley?');
      expect(nearBestFor(20, asked)).toBeLessThan(nearBestFor(100, asked));
      expect(nearBestFor(100_000, asked)).toBe(DEFAULT_LIMITS.nearBest);
      expect(nearBestFor(20, readQuestion('When was Oxley founded?'))).toBe(DEFAULT_LIMITS.nearBest);
      const narrow = reading(ASKED, [...towns(40), HARBOUR]);
      expect(sourcesNearBest(narrow.ranked, 41)).toHaveLength(1);
      const made = reading('When is the market held in town?', towns(40));
      expect(sourcesNearBest(made.ranked, 40)).toHaveLength(40);
    });
  });

  describe('rarity of words', () => {
    const question = 'What did the harbour of Oxley cost?';
    const texts = [
      'The harbour is old. A harbour costs money.',
      'Oxley has a harbour.',
      'Nothing of the kind.',
    ];

    it('adds up over parts of a collection', () => {
      const whole = surveyTexts(question, texts).counts;
      expect(addCounts(texts.map((text) => surveyTexts(question, [text]).counts))).toEqual(whole);
      expect(whole).toEqual({ sentences: 4, holders: { harbour: 3, oxley: 1, cost: 1 } });
    });

    it('counts a word once a sentence', () => {
      const collection = indexSources([
        { id: 'a', title: '', sentences: ['Harbour by harbour.', 'No port.'] },
      ]);
      const counts = countQuestionTerms(readQuestion('harbour'), collection);
      expect(counts).toEqual({ sentences: 2, holders: { harbour: 1 } });
    });

    it('is greater for rare words, and for long words in an empty collection', () => {
      expect(smoothedIdf('harbour', 1, 5_000)).toBeGreaterThan(smoothedIdf('harbour', 900, 5_000));
      expect(smoothedIdf('dredging', 0, 0)).toBeGreaterThan(smoothedIdf('sea', 0, 0));
      expect(smoothedIdf('harbour', 5_000, 5_000)).toBeGreaterThan(0);
    });
  });

  describe('resultScore', () => {
    it.each([
      ['Sales rose by 12% after the change (p < 0.01).', 'The aim of this study was to examine sales.'],
      ['There was no significant difference between the groups.', 'Patients were assigned to two groups.'],
      ['The new method significantly reduced errors.', 'In this paper we describe how errors were counted.'],
    ])('ranks “%s” before “%s”', (result, other) => {
      expect(resultScore(result)).toBeGreaterThan(resultScore(other));
    });

    it('does not depend on amounts, and reads any text', () => {
      expect(resultScore('Sales rose by 12%.')).toBe(resultScore('Sales rose by 97%.'));
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => {
          expect(Number.isFinite(resultScore(text))).toBe(true);
        }),
      );
    });
  });
});

describe('grouping sources', () => {
  const ASKED = new Set(['bus', 'chang']);

  function source(id: string, title: string, ...sentences: string[]): PhraseSource {
    return { id, title, sentences, answers: sentences };
  }

  const ABOUT = (phrase: string, count: number, from: number): PhraseSource[] =>
    Array.from({ length: count }, (_, at) =>
      source(
        `${phrase[0]}${from + at}`,
        `On ${phrase} in town ${'ABCDEFGH'[at]}`,
        `There were more ${phrase}.`,
      ),
    );

  describe('sharedPhrases', () => {
    it('finds phrases in titles and answers, in their most frequent form', () => {
      const other = source('x', 'Other', 'No more night buses.');
      const [phrase, ...others] = sharedPhrases([...ABOUT('night buses', 3, 0), other], ASKED, 3);
      expect([phrase?.text, ...(phrase?.sourceIds ?? [])]).toEqual(['night buses', 'n0', 'n1', 'n2', 'x']);
      expect(others).toEqual([]);
    });

    it('omits phrases of the question and rare ones', () => {
      expect(sharedPhrases(ABOUT('bus changes', 4, 0), ASKED, 3)).toEqual([]);
      expect(sharedPhrases(ABOUT('night buses', 2, 0), ASKED, 3)).toEqual([]);
    });

    it('prefers the longer phrase where nearly all sources have it', () => {
      const phrases = sharedPhrases(ABOUT('quality of life', 4, 0), ASKED, 3).map(({ text }) => text);
      expect(phrases).toEqual(['quality of life']);
    });
  });

  describe('groupSources', () => {
    const limits = { most: 8, least: 3 };

    it('groups sources by phrase, the rest without one', () => {
      const rest = source('rest', 'Weather', 'It rained.');
      const sources = [...ABOUT('night buses', 4, 0), ...ABOUT('ticket prices', 3, 0), rest];
      expect(groupSources(sources, ASKED, limits)).toEqual([
        { phrase: 'night buses', sourceIds: ['n0', 'n1', 'n2', 'n3'] },
        { phrase: 'ticket prices', sourceIds: ['t0', 't1', 't2'] },
        { phrase: null, sourceIds: ['rest'] },
      ]);
    });

    it('returns one group where few or all sources share a phrase', () => {
      const sourceIds = ['rain', 'snow', 'hail', 'wind'];
      const apart = sourceIds.map((word) => source(word, `About ${word}`, `Much ${word} fell.`));
      expect(groupSources(apart, ASKED, limits)).toEqual([{ phrase: null, sourceIds }]);
      expect(groupSources(ABOUT('night buses', 6, 0), ASKED, limits)).toHaveLength(1);
      expect(groupSources([], ASKED, limits)).toEqual([{ phrase: null, sourceIds: [] }]);
    });

    it('returns no more groups than wanted', () => {
      const kinds = ['night buses', 'ticket prices', 'summer storms', 'tram drivers', 'old bridges'];
      const sources = kinds.flatMap((kind, at) => ABOUT(kind, 4, at * 10));
      const groups = groupSources(sources, ASKED, { most: 4, least: 3 });
      expect(groups).toHaveLength(4);
      expect(groups.flatMap(({ sourceIds }) => sourceIds)).toHaveLength(20);
    });
  });
});

describe('sentencesOfSource', () => {
  it('omits headings and back matter, and keeps offsets', () => {
    const content =
      '# Night buses\n\nNight buses ran full on Fridays. Nobody rode on Mondays.\n\n## Funding\n\nThe town paid for this survey.\n\n## References\n\n1. A survey of night buses in towns.';
    const sentences = sentencesOfSource(content);
    expect(sentences.map(({ text }) => text)).toEqual([
      'Night buses ran full on Fridays.',
      'Nobody rode on Mondays.',
    ]);
    for (const { start, end, text } of sentences) expect(content.slice(start, end)).toBe(text);
  });

  it('returns all sentences of a source with nothing but back matter', () => {
    const content = '# Copyright\n\nCopyright ends seventy years after an author’s death.';
    expect(sentencesOfSource(content).map(({ text }) => text)).toEqual([
      'Copyright ends seventy years after an author’s death.',
    ]);
  });
});

describe('isQuotable', () => {
  test.each([
    'With that model the final data of Planck give 67.4 ± 0.5 km/s/Mpc ([Planck 2018](https://arxiv.org/abs/1807.06209)).',
    'The bridge was opened in 1932, says https://a.example/town/bridge/history.',
    'The [guide](https://a.example/guide) and the [register](https://b.example/x/y) name one year, 1932.',
    'Table 2 shows that the trams were quieter in each of the streets.',
    'ActiGraph and BodyMedia made the meters of all the trams.',
    'The values of all the streets were lower than their mean.',
    'They give 69.8 km/s/Mpc, against 67.4 km/s/Mpc by another way [1].',
  ])('accepts %s', (text) => {
    expect(isQuotable(text, '')).toBe(true);
  });

  test.each([
    '[Home](https://a.example/) [Bridges](https://a.example/b) [Rivers](https://a.example/r)',
    'See https://a.example/a/long/way/down/to/the/page.',
    'src/a/b.ts | src/c/d.ts | src/e/f.ts',
    'id="Par43">In 2002 the trial of walking ended without a result.',
    'Take the tram to work every day 3.75',
    '.79 % Taking the tram to work every day',
    'Table 1Characteristics of all the trams in the town',
    'Figure 2. Noise in each of the streets by day',
    'Noise (dB)3.75 ± 0.36b in all of them',
    'Mean level of noise (dB)',
    'Street lengthTotal groupSouth sideNorth partNoise of trams (dB) 12 14 15',
    'TR, tram; ST, street; DB, decibels of noise.',
    'Values are means ± SD of all the streets.',
    '[58] concluded that walking improved the sleep of older adults.',
  ])('rejects %s', (text) => {
    expect(isQuotable(text, '')).toBe(false);
  });
});

test('leaves out the lines that three pages of one site repeat', () => {
  const NOTICE = 'Subscribe to our newsletter to read more about trams.';
  const page = (site: string | undefined, own: string): Parameters<typeof quotableSentences>[0][number] => {
    const text = `${own} ${NOTICE}`;
    return {
      title: '',
      passages: [{ start: 0, end: text.length, text, headings: [] }],
      ...(site === undefined ? {} : { site }),
    };
  };
  const texts = (pages: ReturnType<typeof page>[]): string[][] =>
    quotableSentences(pages).map((sentences) => sentences.map(({ text }) => text));
  const owns = [1, 2, 3].map((line) => `Line ${line} was opened in the year 190${line}.`);
  expect(texts(owns.map((own) => page('trams.example', own)))).toEqual(owns.map((own) => [own]));
  const copies = owns.map((own, at) => ({
    ...page('trams.example', own),
    ...(at === 0 ? {} : { nearDuplicateOf: 'first' }),
  }));
  const both = owns.map((own) => [own, NOTICE]);
  expect(texts(copies)).toEqual(both);
  expect(texts(owns.map((own) => page(undefined, own)))).toEqual(both);
  expect(texts(owns.map((own, at) => page(`trams-${at}.example`, own)))).toEqual(both);
});
