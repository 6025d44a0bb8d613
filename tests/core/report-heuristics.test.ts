import { followUpQuestions } from '../../src/core/report/follow-up-questions';
import { type ToldClaim, withConfidence } from '../../src/core/report/told-confidence';
import { asOfNote, newestDate } from '../../src/core/writing/as-of';
import { inWhom } from '../../src/core/writing/in-whom';

describe('withConfidence', () => {
  const SENTENCES = ['Walking lowers it [1].', 'Running lowers it [2].', 'Swimming does nothing [3].'];
  const TEXT = `${SENTENCES.slice(0, 2).join(' ')}\n\n${SENTENCES[2] ?? ''}`;

  /** The sentences of the text with these confidences. */
  function claims(...confidences: number[]): ToldClaim[] {
    return confidences.map((confidence, at) => {
      const said = SENTENCES[at] ?? '';
      const start = TEXT.indexOf(said);
      return { start, end: start + said.length, confidence, validated: true };
    });
  }

  /** One text with these claims. */
  function told(markdown: string, own: readonly ToldClaim[]): { markdown: string | undefined; line: string } {
    const { texts, line } = withConfidence([{ markdown, claims: own }]);
    return { markdown: texts[0], line };
  }

  test('what all claims of a text have is told once, and none of its sentences is touched', () => {
    expect(told(TEXT, claims(0.75, 0.7, 0.8))).toEqual({
      markdown: TEXT,
      line: '**Confidence:** (Medium confidence) for all of this report.',
    });
  });

  test('a sentence that departs from what most have says so itself', () => {
    const { markdown, line } = told(TEXT, claims(0.75, 0.95, 0.8));
    expect(markdown).toBe(TEXT.replace('it [2].', 'it [2] (High confidence).'));
    expect(line).toBe('**Confidence:** (Medium confidence) where this report says nothing else.');
  });

  test('of two that as many have, the lower is the usual one', () => {
    const { line } = told(TEXT, claims(0.95, 0.5));
    expect(line).toContain('(Low confidence) where');
  });

  test('what was not cross-checked departs from what was', () => {
    const [first, ...rest] = claims(0.75, 0.75, 0.75);
    const open = first === undefined ? [] : [{ ...first, validated: false }];
    const { markdown } = told(TEXT, [...open, ...rest]);
    expect(markdown).toContain('it [1] (Medium confidence, not cross-checked). Running');
  });

  test('a sentence of an earlier release that has its remark has no second one', () => {
    const text = 'Walking lowers it [1] (High confidence). Running lowers it [2].';
    const at = text.indexOf('Running');
    const own = [
      { start: 0, end: at - 1, confidence: 0.95, validated: true },
      { start: at, end: text.length, confidence: 0.5, validated: true },
    ];
    expect(told(text, own).markdown).toBe(text);
  });

  test('a text without claims says nothing of it', () => {
    expect(told('Nothing was found.', [])).toEqual({
      markdown: 'Nothing was found.',
      line: '',
    });
  });

  test('what most claims of several texts have is told once for all of them', () => {
    const [most, other] = [claims(0.75, 0.75, 0.75), claims(0.95)];
    const { texts, line } = withConfidence([
      { markdown: TEXT, claims: other },
      { markdown: TEXT, claims: most },
    ]);
    expect(texts).toEqual([TEXT.replace('it [1].', 'it [1] (High confidence).'), TEXT]);
    expect(line).toContain('(Medium confidence) where this report');
  });
});

describe('followUpQuestions', () => {
  test('asks for what lies behind each sort of disagreement, then where the gaps are answered', () => {
    const asked = followUpQuestions({
      conflicts: [
        { kind: 'direction', topic: 'The tax and employment' },
        { kind: 'number', topic: 'GDP growth in 2009' },
        { kind: 'condition', topic: 'Indexes and write speed' },
      ],
      gaps: [{ question: 'What did the tax cost?' }],
    });
    expect(asked).toEqual([
      'What explains that sources disagree on the tax and employment?',
      'Which of the figures given for GDP growth in 2009 holds, and for what?',
      'Under which conditions does what sources report on indexes and write speed hold?',
      'Which sources outside this collection answer “What did the tax cost”?',
    ]);
  });

  test('asks five questions at most, three of them on disagreements, and none twice', () => {
    const conflicts = [1, 2, 3, 4].map((at) => ({ kind: 'number' as const, topic: `Topic ${at}` }));
    const gaps = ['Why?', 'Why?', 'When?', 'Where?'].map((question) => ({ question }));
    const asked = followUpQuestions({ conflicts, gaps });
    expect(asked).toHaveLength(5);
    expect(asked.filter((question) => question.startsWith('Which of the figures'))).toHaveLength(3);
    expect(new Set(asked).size).toBe(5);
  });

  test('asks nothing where nothing is open', () => {
    expect(followUpQuestions({ conflicts: [], gaps: [] })).toEqual([]);
  });
});

describe('asOfNote and newestDate', () => {
  describe('when words held that mean their own time', () => {
    it.each([
      'Currently 40 % of adults are deficient.',
      'The latest figures are higher.',
      'No trial has shown an effect so far.',
      'Prices rose this year.',
      'Today it is sold in ten countries.',
      'It was recently approved.',
      'To date, 12 trials were done; at present one is running.',
    ])('%s', (words) => {
      expect(asOfNote(words, '2021-03-04T10:00:00Z', 'The authors')).toBe(' (as of 2021-03-04)');
    });

    it.each([
      ['nothing in the words depends on the time', 'It rose by 4 % in 2019.', '2021', 'Doe'],
      ['the year is named', 'Currently it is 4 %.', '2021-03-04', 'Doe (2021)'],
      ['there is no date', 'Currently it is 4 %.', undefined, 'Doe'],
      ['the date is none', 'Currently it is 4 %.', 'n.d.', 'Doe'],
      ['it is an adverb of place in time', 'It was measured at the latest visit.', '2021', 'Doe (2021)'],
    ])('says nothing where %s', (_why, words, date, around) => {
      expect(asOfNote(words, date, around)).toBe('');
    });

    it('makes nothing active of a date', () => {
      expect(asOfNote('It is so now.', '[1](x) 2020', 'Doe')).toBe(' (as of \\[1\\](x) 2020)');
      expect(asOfNote('It is so now.', `2020 ${'x'.repeat(40)}`, 'Doe')).toBe('');
    });
  });

  describe('the newest of dates', () => {
    it.each([
      [['2011', '2019', '2018-12-31'], '2019'],
      [['2019', '2019-02'], '2019-02'],
      [['2019-02-03', '2019-02-10', '2019-02-04'], '2019-02-10'],
      [['March 2005', '2004-12-31'], 'March 2005'],
      [['n.d.', '2001'], '2001'],
      [[undefined, '1/2'], '1/2'],
      [['2010', 'in 2010'], '2010'],
    ])('of %j is %s', (dates, newest) => {
      expect(newestDate(dates)).toBe(newest);
    });

    it('is none where there is none', () => {
      expect(newestDate([undefined, 'undated'])).toBeUndefined();
    });
  });
});

describe('inWhom', () => {
  const TITLE =
    'Effects of a new tram line on noise in older residents of flats: a randomised controlled trial';

  test('says in whom something was found, in the words of the title, without what the study is', () => {
    expect(inWhom('Noise fell by 4 dB.', TITLE)).toBe('in older residents of flats');
    expect(inWhom('Noise fell.', 'A randomised trial of trams (lines 1 and 2) in Young Drivers')).toBe(
      'in Young Drivers',
    );
    expect(inWhom('Noise fell.', 'Trams for people with asthma')).toBe('in people with asthma');
    expect(inWhom('Noise fell.', 'A quiet tram on the sleep of old drivers for a year')).toBe(
      'in old drivers',
    );
    expect(inWhom('Noise fell.', 'New trams and noise in South Africa')).toBe('in South Africa');
  });

  test('tells it of nobody whom the quote names, in full or by their short form, and of no study or time', () => {
    expect(inWhom('Noise fell among older residents of flats.', TITLE)).toBeNull();
    const disease = 'Walking and breath in Chronic Obstructive Pulmonary Disease Patients';
    expect(inWhom('Breath did not change in COPD.', disease)).toBeNull();
    expect(inWhom('Noise fell.', 'Trams and noise in a randomised trial')).toBeNull();
    expect(inWhom('Noise fell.', 'In the city')).toBeNull();
  });

  test('cuts what is long at a word', () => {
    expect(inWhom('It fell.', 'Trams among old and young people who live beside a loud road')).toBe(
      'in old and young people who live beside a …',
    );
  });

  test.each(['Trams and noise in 2019', 'Trams in the long run', 'Trams and changes in street noise'])(
    'tells nobody where “%s” names a time, a way or what changed',
    (title) => {
      expect(inWhom('It fell.', title)).toBeNull();
    },
  );

  test.each([
    'The effect of trams on sleep and noise',
    'Trams and Sleep in Diabetic Hemodialysis',
    'Trams and what patients report of them',
  ])('tells nobody where “%s” names no population', (title) => {
    expect(inWhom('It fell.', title)).toBeNull();
  });
});
