import fc from 'fast-check';
import { insertCitations } from '../../src/lib/citation-marks';
import { withFullStop } from '../../src/lib/strings';
import {
  attributionOf,
  authorNames,
  bibliographyNames,
  countWords,
  newestDate,
  shorten,
  shortNames,
  sourceName,
  yearOf,
} from '../../src/report/attribution';
import { claimSentence, withoutLeadIn } from '../../src/report/claim-sentence';
import { finding, quoteOf } from './report-fixture';

describe('attribution', () => {
  describe('authorNames', () => {
    it.each([
      ['Haykowsky Mark; Riess Kenneth; Figgures Linda et al.', ['Haykowsky', 'Riess', 'Figgures']],
      ['Jane Doe', ['Doe']],
      ['Jane Doe and John Roe', ['Doe', 'Roe']],
      ['Jane Doe, John Roe & Max van der Berg', ['Doe', 'Roe', 'van der Berg']],
      ['Doe, Jane', ['Doe']],
      ['Doe JA', ['Doe']],
      ['Satia MC; Mukim AG', ['Satia', 'Mukim']],
      ['A. D. Doe; Jane Roe', ['Doe', 'Roe']],
      ['Jane L. Doe; John Roe', ['Doe', 'Roe']],
      ['Doe Jane L.; Roe John', ['Doe', 'Roe']],
      ['World Health Organization', ['World Health Organization']],
      ['et al.', []],
    ])('reads the names of %p', (author, names) => {
      expect(authorNames(author)).toEqual(names);
    });
  });

  describe('bibliographyNames', () => {
    it.each([
      ['Doe, Jane; van der Berg, A.', ['Doe|Jane', 'van der Berg|A.']],
      ['Doe, Jane and Roe, John', ['Doe|Jane', 'Roe|John']],
      ['van der Berg, Max', ['van der Berg|Max']],
      ['A. B. Doe', ['Doe|A. B.']],
      ['Satia MC; Mukim AG', ['Satia|MC', 'Mukim|AG']],
      ['Forouhi N. G.; Menon R. K. et al.', ['Forouhi|N. G.', 'Menon|R. K.']],
      ['Jane Doe, John van der Berg', ['Doe|Jane', 'van der Berg|John']],
    ])('parts %s as commas, initials and lists of full names say', (author, names) => {
      const parted = bibliographyNames(author).map(({ family, given }) => `${family}|${given}`);
      expect(parted).toEqual(names);
    });

    it.each([
      'World Health Organization',
      'World Bank',
      'NHS England',
      'Médecins Sans Frontières',
      'Cancer Research UK',
      'Food and Agriculture Organization',
      'Centers for Disease Control and Prevention',
      'Department for Environment, Food and Rural Affairs',
      'University of Oslo, Norway',
      'Ada Lovelace',
    ])('leaves %s whole', (author) => {
      expect(bibliographyNames(author)).toEqual([{ family: author, given: '' }]);
    });

    it('takes braces for one name, and organisations beside people', () => {
      expect(bibliographyNames('{World Bank}')).toEqual([{ family: 'World Bank', given: '' }]);
      expect(bibliographyNames('Doe, Jane; World Health Organization').map(({ family }) => family)).toEqual([
        'Doe',
        'World Health Organization',
      ]);
    });
  });

  describe('attributionOf', () => {
    it.each(['Médecins Sans Frontières', 'Centers for Disease Control and Prevention'])(
      'names %s whole',
      (author) => {
        expect(attributionOf({ title: 'A note', author }).subject).toBe(author);
      },
    );

    const source = { title: 'Exercise training', site: 'Trials', publishedAt: '2005-03-01' };

    it('names one author, two authors or the first of many', () => {
      const told = (author: string): object => attributionOf({ ...source, author });
      expect(told('Jane Doe')).toEqual({ subject: 'Doe (2005)', plural: false });
      expect(told('Doe J; Roe J')).toEqual({ subject: 'Doe and Roe (2005)', plural: true });
      const many = { subject: 'Doe and colleagues (2005)', plural: true };
      expect(told('Doe J; Roe J; Poe E')).toEqual(many);
    });

    it('names the document where no author is known', () => {
      expect(attributionOf(source)).toEqual({ subject: '“Exercise training” (Trials, 2005)', plural: false });
      expect(attributionOf({ title: 'A note' })).toEqual({ subject: '“A note”', plural: false });
    });

    it('omits an unknown year', () => {
      expect(attributionOf({ title: 'A note', author: 'Jane Doe' }).subject).toBe('Doe');
    });
  });

  describe('yearOf', () => {
    it.each([
      ['2005', '2005'],
      ['March 2005', '2005'],
      ['2005-03-01T00:00:00Z', '2005'],
      ['PMC12005', undefined],
      [undefined, undefined],
    ])('of %p is %p', (date, year) => {
      expect(yearOf(date)).toBe(year);
    });
  });

  describe('sourceName', () => {
    it.each([
      ['LIMA: Less Is More for Alignment', 'LIMA, 2023'],
      ['E. coli in the water of three towns', 'E. coli in the water of three towns, 2023'],
      ['Dr. Google and the trams. A survey', 'Dr. Google and the trams, 2023'],
    ])('shortens “%s” to its beginning', (title, name) => {
      expect(sourceName({ title, author: undefined, site: 'Trams', publishedAt: '2023' })).toBe(name);
    });
  });
});

describe('claimSentence', () => {
  const TITLE = 'Carbon taxes and the price of petrol in Sweden';

  const SOURCE = {
    title: TITLE,
    author: 'Borges Cynthia; Doe Jo; Roe Al',
    site: 'Tax Reports',
    publishedAt: '2016',
  };

  type Facts = Parameters<typeof claimSentence>[1] extends ReadonlyMap<string, infer Source> ? Source : never;

  function sentence(claim: string, source: Facts = SOURCE, named?: ReadonlySet<string>): string {
    const found = finding('finding-1', 'section-1', [quoteOf('tax', claim)], 0.75);
    return claimSentence(found, new Map([['tax', source]]), named === undefined ? {} : { named });
  }

  test('quotes the source and names it once in a text', () => {
    const claim = 'Carbon taxes raised the price of petrol by 11 %.';
    const quote = '“Carbon taxes raised the price of petrol by 11 %”';
    expect(sentence(claim)).toBe(`${quote} (Borges 2016) [@tax].`);
    expect(sentence(claim, SOURCE, new Set(['tax']))).toBe(`${quote} [@tax].`);
  });

  test('names the source by its title where no author is known', () => {
    const told = (source: Facts): string => sentence('It rose by 12 %.', source);
    const title = 'Petrol: what it cost in Sweden before and after the tax';
    expect(told({ title, site: 'Tax Reports', publishedAt: '2016' })).toBe(
      '“It rose by 12 %” (Petrol, 2016) [@tax].',
    );
    expect(told({ title: TITLE })).toBe(`“It rose by 12 %” (${TITLE}) [@tax].`);
  });

  test('tells of other parts of the same document beside sources that agree', () => {
    const quotes = ['tax', 'annex', 'duty'].map((id, at) => quoteOf(id, `It rose by ${at + 12} %.`));
    const found = finding('finding-1', 'section-1', quotes, 0.9);
    const work = { id: 'work:tax', title: TITLE };
    const sources = new Map([
      ['tax', { title: 'Prices', work }],
      ['annex', { title: 'Annex', work }],
      ['duty', { title: 'Duties' }],
    ]);
    expect(claimSentence(found, sources)).toBe(
      '“It rose by 12 %” (Prices) [@tax]; in agreement, “It rose by 14 %” (Duties) [@duty]; another part of the same document says the same [@annex].',
    );
  });

  test('quotes two agreeing sources and counts the rest', () => {
    const quotes = ['tax', 'duty', 'levy', 'fee'].map((id, at) => quoteOf(id, `It rose by ${at + 12} %.`));
    const found = finding('finding-1', 'section-1', quotes, 0.9);
    expect(claimSentence(found, new Map())).toBe(
      '“It rose by 12 %” [@tax]; in agreement, “It rose by 13 %” [@duty]; “It rose by 14 %” [@levy]; the same is reported by one more source [@fee].',
    );
  });

  test('shows a table row without bars', () => {
    expect(sentence('| Norway | 11 % of the price |', { title: 'T' })).toContain(
      '“Norway; 11 % of the price”',
    );
    expect(sentence('The share P(a | b) rose.', { title: 'T' })).toContain('P(a');
  });
});

describe('withoutLeadIn', () => {
  test.each([
    ['We found that prices fell.', '… prices fell.'],
    ['The authors conclude that, of all, prices fell.', 'The authors conclude that, of all, prices fell.'],
    ['The authors conclude that prices fell in towns.', '… prices fell in towns.'],
    // Its marks tell that others found it.
    ['Prices fell [3] in towns [1, 4-6].', 'Prices fell [3] in towns [1, 4-6].'],
  ])('makes “%s” “%s”', (quote, told) => {
    expect(withoutLeadIn(quote)).toBe(told);
  });

  test.each([
    'We did not find that prices fell.',
    'It was not reported that prices fell.',
    'It has been reported that prices fell.',
    'Previous studies found that prices fell.',
    'These results suggest that prices fell.',
    'The town council hoped that prices fell.',
    'The authors conclude that prices fell. They recommend trams.',
    'Prices fell in the year that followed.',
  ])('keeps “%s”', (quote) => {
    expect(withoutLeadIn(quote)).toBe(quote);
  });
});

describe('shortNames', () => {
  test('uses the first author, the year and a letter or number for equals', () => {
    const names = shortNames([
      { id: 'one', title: 'A', author: 'Jane Doe and John Roe', publishedAt: '2010-03-01' },
      { id: 'two', title: 'B', author: 'Doe, J.; Poe, E.; Zoe, A.', publishedAt: 'March 2010' },
      { id: 'three', title: 'C', author: 'Jane Doe' },
      { id: 'four', title: 'D', author: 'Jane Doe' },
      { id: 'five', title: 'Evening walking and sleep in older adults', publishedAt: '2012' },
      { id: 'six', title: 'Notes' },
    ]);
    expect(Object.fromEntries(names)).toEqual({
      one: 'Doe 2010a',
      two: 'Doe 2010b',
      three: 'Doe (1)',
      four: 'Doe (2)',
      five: '“Evening walking and sleep in older…” 2012',
      six: '“Notes”',
    });
  });

  test('keeps names distinct for more than 26 sources', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      id: `s${index}`,
      title: 't',
      author: 'Jane Doe',
      publishedAt: '2010',
    }));
    expect(new Set(shortNames(many).values()).size).toBe(60);
  });
});

describe('shorten', () => {
  it('keeps a short sentence', () => {
    expect(shorten('Walking lowered blood pressure by 4 mmHg.', 20)).toBe(
      'Walking lowered blood pressure by 4 mmHg.',
    );
  });

  it('drops parentheses first and marks the omission', () => {
    const sentence =
      'Walking lowered blood pressure (mean difference 4.1 mmHg, 95% CI 2.0 to 6.2, p = 0.002) in adults.';
    expect(shorten(sentence, 9)).toBe('Walking lowered blood pressure … in adults.');
  });

  it('cuts at a clause boundary and does not end on a function word', () => {
    const sentence =
      'Resistance training raised leg strength by 64 per cent in the group that trained, whereas the control group lost strength over the same twelve weeks of the study.';
    expect(shorten(sentence, 18)).toBe(
      'Resistance training raised leg strength by 64 per cent in the group that trained …',
    );
  });

  it('cuts at the end of a sentence', () => {
    expect(
      shorten(
        'After the training the workload and its duration increased. It was considered that it helps.',
        12,
      ),
    ).toBe('After the training the workload and its duration increased. …');
  });

  it('drops nested parentheses, also at the cut', () => {
    const nested =
      'Pain fell (mean difference (95% CI) -1.8 (-3.5 to -0.1)) in the group that walked every day.';
    expect(shorten(nested, 11)).toBe('Pain fell … in the group that walked every day.');
    const cut =
      'Pain fell in the group that walked every day of the week (but not on Sundays, when nobody walked at all or could have, as the paths were closed for the whole of the day and the night).';
    expect(shorten(cut, 14)).toBe('Pain fell in the group that walked every day of the week …');
  });

  it.each([
    'Proteinuria did not differ between the groups at the end of the trial, but its change from the start of it did.',
    'The supplement lowered the risk of falls by 12 per cent over two whole years (p = 0.31) in adults who walked.',
    'The supplement lowered the risk of falls by 12 per cent over two years (not significant) in adults who walked.',
  ])('keeps words that reverse the meaning: %s', (sentence) => {
    expect(shorten(sentence, 14)).toBe(sentence);
  });

  it('keeps a concession whole, and a sentence that is only a little longer', () => {
    const granting =
      'Although there were fewer cars in each of the streets of the town, the air was as bad as before.';
    expect(shorten(granting, 10)).toBe(granting);
    const plain =
      'Fewer cars were seen in the streets, of which most were quiet before, and the air was better.';
    expect(shorten(plain, 10, 20)).toBe(plain);
    expect(shorten(plain, 10)).toBe('Fewer cars were seen in the streets, of which most …');
  });

  it('prefers a slightly longer text to a cut within a clause', () => {
    const sentence =
      'Fewer of those who walked every day of the week gained more than is advised for their age.';
    expect(shorten(sentence, 14)).toBe(sentence);
    expect(shorten(sentence, 8)).toBe('Fewer of those who walked every day …');
  });

  it('returns at most 1.5 times the wanted words, for any sentence', () => {
    const sentence = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(sentence, fc.integer({ min: 5, max: 40 }), (words, max) => {
        const short = shorten(`${words.join(' ')}.`, max);
        expect(countWords(short)).toBeLessThanOrEqual(max * 1.5);
        expect(words.join(' ').startsWith(short.replace(/[\s….]+$/, ''))).toBe(true);
      }),
    );
  });
});

describe('ended', () => {
  test.each([
    ['A title', 'A title.'],
    ['A title.', 'A title.'],
    ['Is new physics needed?', 'Is new physics needed?'],
    ['It works!', 'It works!'],
    ['What is left…', 'What is left…'],
    ['为什么？', '为什么？'],
  ])('ends “%s” as “%s”', (title, told) => {
    expect(withFullStop(title)).toBe(told);
  });
});

describe('citedBeforeStop', () => {
  it.each([
    ['Doors open at noon.', 'Doors open at noon [@a].'],
    ['Doors open at noon', 'Doors open at noon [@a].'],
    ['Doors open at 8 a.m.', 'Doors open at 8 a.m. [@a].'],
    ['It was sold in the U.S.', 'It was sold in the U.S. [@a].'],
    ['Do they open!', 'Do they open [@a]!'],
    ['They call it “a gain.”', 'They call it “a gain [@a].”'],
    ['And so on …', 'And so on … [@a].'],
    ['It grew by 4.5 m.', 'It grew by 4.5 m [@a].'],
  ])('%s', (sentence, cited) => {
    expect(insertCitations(sentence, ['a'], (text) => text)).toBe(cited);
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
