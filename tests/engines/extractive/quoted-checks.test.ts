import type { Finding } from '../../../src/contracts/finding';
import type { SourceWindow } from '../../../src/contracts/source';
import { extractFindingsExtractively } from '../../../src/engines/extractive/extractive-steps';
import { crossCheckExtractively } from '../../../src/engines/extractive/quoted-checks';
import { crossCheck, type CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check';
import {
  extractFindings,
  type ExtractFindingsInput,
  type ExtractFindingsOutput,
} from '../../../src/steps/extract-findings';
import type { Encoder } from '../../../src/text/encoder';
import { splitPassages } from '../../../src/text/sentences';
import { AUTHORITATIVE, findingOf, GENERAL, quoted } from '../../support/findings';
import { passesOver, type ReadSource } from '../../support/passes-without-server';
import { randomFrom } from '../../support/random';

describe('extract-findings', () => {
  const QUESTION = 'Does walking reduce body weight, and by how much?';

  function windowOf(sourceId: string, title: string, content: string): SourceWindow {
    return { sourceId, title, quality: AUTHORITATIVE, summaryOnly: false, passages: splitPassages(content) };
  }

  interface Asking {
    question?: string;
    max?: number;
    encoder?: Encoder | null;
  }

  async function findingsIn(
    sources: SourceWindow[],
    { question = QUESTION, max = 20, encoder = null }: Asking = {},
  ): Promise<ExtractFindingsOutput['findings']> {
    const input: ExtractFindingsInput = {
      question,
      sources,
      findings: { min: 2, max },
      section: { id: 'section-1', title: 'Walking', description: 'What walking did.', subsections: [] },
    };
    const output = await extractFindingsExtractively(input, encoder);
    expect(extractFindings.check(input, output)).toEqual([]);
    for (const { claim, evidence } of output.findings)
      expect(claim).toBe(evidence[0]?.quote.replace(/\s+/g, ' '));
    return output.findings;
  }

  async function claimsIn(...given: Parameters<typeof findingsIn>): Promise<string[]> {
    return (await findingsIn(...given)).map(({ claim }) => claim);
  }

  describe('findings', () => {
    it('are sentences of the sources, word for word, at their places', async () => {
      const content =
        '# Walking and weight\n\nForty adults took part.\n\nWalking reduced body weight by 2.1 kg  (p = 0.01). The weather was fine.';
      const [finding] = await findingsIn([windowOf('a', 'Walking and weight', content)]);
      const { start = 0, end = 0, quote } = finding?.evidence[0] ?? {};
      expect(quote).toBe('Walking reduced body weight by 2.1 kg  (p = 0.01).');
      expect(content.slice(start, end)).toBe(quote);
      expect(finding?.citations).toEqual(['a']);
    });

    it.each([
      [
        'Does vitamin D improve bone density?',
        'Vitamin D significantly improved bone density in 300 adults.',
      ],
      ['Does vitamin D improve bone density?', 'Vitamin D did not improve bone density in 300 adults.'],
      ['Did the new road shorten the way to work?', 'The way to work is shorter since the new road.'],
    ])('%s A source may be one short sentence: %s', async (question, sentence) => {
      expect(await claimsIn([windowOf('a', 'A note', sentence)], { question })).toEqual([sentence]);
    });

    it('are never a question, a row of a table, the title or a reference', async () => {
      const title = 'Walking reduces body weight in adults';
      const content = [
        `# ${title}`,
        `${title}.`,
        'Does walking reduce body weight in adults?',
        '| walking | body weight | reduced | 2.1 kg | p = 0.01 |\n| --- | --- | --- | --- | --- |\n| walking | body weight | 1.9 kg | 2.4 kg | p = 0.02 |',
        'In this trial walking reduced body weight by 2.1 kg.',
        '## References\n\n1. Walker J. Walking reduces body weight by a lot. Journal of Walking 2011.',
      ].join('\n\n');
      expect(await claimsIn([windowOf('a', title, content)])).toEqual([
        'In this trial walking reduced body weight by 2.1 kg.',
      ]);
    });

    it('take the sentence before them with them where they lean on it, and are not told twice then', async () => {
      const content =
        'It rained. Body weight was taken every month of walking. This fell by 2.1 kg of body weight with walking.';
      expect(await claimsIn([windowOf('a', 'A year of walking', content)])).toEqual([
        content.slice('It rained. '.length),
      ]);
    });

    it('say the same thing once', async () => {
      const text = (kilograms: string): string =>
        `Walking for half a year reduced body weight in older adults by ${kilograms}.`;
      const sources = ['a', 'b', 'c'].map((id) => windowOf(id, 'Walking', text('2.1 kg')));
      expect(await claimsIn(sources)).toHaveLength(1);
    });

    it('are as many as are wanted at most, three of a source', async () => {
      const measures = [
        'back pain',
        'body weight',
        'the waist',
        'blood pressure',
        'the resting pulse',
        'sleep',
      ];
      const results = measures.map(
        (what, at) => `Walking reduced ${what} and body weight by ${at + 2} % in group ${'ABCDEF'[at]}.`,
      );
      const text = results.join(' ');
      expect((await findingsIn([windowOf('a', 'Walking', text)])).length).toBeLessThanOrEqual(3);
      const many = results.map((result, at) => windowOf(`s${at}`, `Study ${at}`, result));
      expect(await findingsIn(many, { max: 2 })).toHaveLength(2);
    });

    it('hear each of many sources once before any is heard again', async () => {
      const results = [
        'Walking reduced body weight by 2 kg within twelve weeks.',
        'Among nurses the body weight fell by 1.4 kg through walking at lunch.',
        'Dogs made their owners walk, and body weight went down by a kilogram.',
        'No change of body weight was seen after walking to school.',
        'Walking uphill took 3.5 kg off the body weight of soldiers.',
        'A mean loss of 900 g in body weight came with evening walking.',
      ];
      const talker = windowOf('a', 'Walking and body weight', results.slice(0, 3).join(' '));
      const others = results.slice(3).map((result, at) => windowOf(`s${at}`, `Study ${at}`, result));
      const findings = await findingsIn([talker, ...others], { max: 5 });
      const cited = findings.map(({ citations }) => citations[0]);
      expect(new Set(cited.slice(0, 4)).size).toBe(4);
      expect(cited).toHaveLength(5);
    });

    it('are surer of what a journal says than of a web page, and of what answers all of the question', async () => {
      const best = 'Walking reduced body weight by 2.1 kg.';
      const page = { ...windowOf('b', 'A page', best), quality: GENERAL };
      const [ofJournal] = await findingsIn([windowOf('a', 'A journal', best)]);
      const [ofPage] = await findingsIn([page]);
      expect(ofJournal?.confidence).toBeCloseTo(0.75);
      expect(ofPage?.confidence).toBeCloseTo(0.7);
    });

    it('are none where there is nothing to quote', async () => {
      expect(await findingsIn([])).toEqual([]);
      expect(await findingsIn([windowOf('n', 'Notes', 'Milk.\n\nCall home.')])).toEqual([]);
      expect(await findingsIn([windowOf('n', 'Notes', '')])).toEqual([]);
    });
  });
});

describe('cross-check of findings', () => {
  const TITLE = 'Effects of rowing on leg strength: a randomised trial';

  function window(sourceId: string, results: string, facts: Partial<SourceWindow> = {}): SourceWindow {
    const content = `# Methods\n\nParticipants rowed or rested for a while.\n\n# Results\n\n${results}\n\n# Conclusions\n\nThe participants liked the programme.`;
    return {
      sourceId,
      title: TITLE,
      quality: GENERAL,
      summaryOnly: false,
      passages: splitPassages(content),
      ...facts,
    };
  }

  function finding(source: SourceWindow, quote: string, confidence = 0.6): Finding {
    const passage = source.passages.find(({ text }) => text.includes(quote));
    const start = (passage?.start ?? 0) + (passage?.text.indexOf(quote) ?? 0);
    const evidence = [quoted(source.sourceId, quote, start)];
    return findingOf(`finding-${source.sourceId}`, quote, source.sourceId, { evidence, confidence });
  }

  function input(findings: Finding[], sources: SourceWindow[]): CrossCheckInput {
    return {
      factChecking: true,
      detectConflicts: true,
      question: 'What does rowing do?',
      section: { id: 'section-1', title: 'Rowing', description: 'What rowing does', subsections: [] },
      findings,
      sources,
    };
  }

  const CLAIM = 'Rowing significantly increased leg strength compared with rest (p = 0.01).';

  const first = window('a', CLAIM);

  const AGREES = 'Leg strength was significantly increased by rowing (p = 0.003).';

  const ALSO_AGREES = 'After the programme, rowing significantly increased leg strength by 11% (p = 0.02).';

  const NO_EFFECT = 'Rowing had no significant effect on leg strength (p = 0.62).';

  const DENIAL = 'Rowing did not significantly increase leg strength compared with rest (p = 0.51).';

  const agreeing = window('b', `${AGREES} Body weight did not change.`);

  const another = window('c', ALSO_AGREES);

  const opposed = window('d', NO_EFFECT);

  /** The check of what the first source claims against others. */
  const checkAgainst = (...others: SourceWindow[]): CrossCheckOutput =>
    crossCheckExtractively(input([finding(first, CLAIM)], [first, ...others]));

  /** The conflicts between results that nobody chose as findings. */
  const conflictsIn = (...sources: SourceWindow[]): CrossCheckOutput['conflicts'] =>
    crossCheckExtractively(input([], sources)).conflicts;

  it('quotes further sources that assert the same, and counts them', () => {
    const given = input([finding(first, CLAIM)], [first, agreeing, another]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.checks[0]?.supporting.map(({ quote }) => quote)).toEqual([AGREES, ALSO_AGREES]);
    expect(output.checks[0]).toMatchObject({ confidence: 0.95, contradicting: [] });
    expect(output.conflicts).toEqual([]);
  });

  it('finds the sentence of a further source that contradicts a finding', () => {
    const given = input([finding(first, CLAIM)], [first, opposed]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, output)).toEqual([]);
    expect(output.checks[0]?.contradicting.map(({ sourceId }) => sourceId)).toEqual(['d']);
    expect(output.checks[0]?.confidence).toBe(0.6);
    expect(output.conflicts).toMatchObject([{ topic: 'leg strength', findingIds: ['finding-a'] }]);
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['d']]);
  });

  it('holds findings against each other, however sure they are', () => {
    const findings = [finding(first, CLAIM, 0.9), finding(opposed, NO_EFFECT, 0.9)];
    const { checks, conflicts } = crossCheckExtractively(input(findings, [first, opposed]));
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]?.findingIds).toEqual(['finding-a', 'finding-d']);
    expect(checks.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
  });

  it('finds contradictions between results that nobody chose as findings', () => {
    const given = input([], [first, window('e', DENIAL)]);
    const output = crossCheckExtractively(given);
    expect(crossCheck.check(given, CrossCheckOutput.parse(output))).toEqual([]);
    expect(output.conflicts).toHaveLength(1);
    expect(output.conflicts[0]).toMatchObject({ kind: 'direction', findingIds: [] });
    expect(output.conflicts[0]?.viewpoints.map(({ citations }) => citations)).toEqual([['a'], ['e']]);
  });

  it('leaves a source out that also says what the other does', () => {
    const both = window('e', `${DENIAL} ${CLAIM.replace('0.01', '0.02')}`);
    expect(conflictsIn(first, both)).toEqual([]);
  });

  it('takes what every study has of its own, in other numbers, for no contradiction', () => {
    const ages = (years: number): string =>
      `The mean age of all participants in the rowing study was ${years} years.`;
    const attendance = (share: number): string =>
      `Attendance at the weekly rowing sessions was ${share}% in the programme.`;
    const one = window('a', `${ages(41)} ${attendance(62)}`);
    const other = window('b', `${ages(67)} ${attendance(91)}`);
    expect(conflictsIn(one, other)).toEqual([]);
  });

  it('counts a near-duplicate of the cited source for nothing', () => {
    const copy = window('b', CLAIM, { nearDuplicateOf: 'a' });
    expect(checkAgainst(copy).checks).toMatchObject([{ supporting: [], confidence: 0.62 }]);
  });

  it('takes no aim and no method for evidence', () => {
    const aim = 'The aim was to determine whether rowing increases leg strength.';
    const unproven = window('b', `We hypothesized that rowing would increase leg strength. ${aim}`);
    expect(checkAgainst(unproven).checks[0]?.supporting).toEqual([]);
  });

  it('leaves a single source as the rules have it', () => {
    const journal = window('a', CLAIM, { quality: AUTHORITATIVE });
    const { checks } = crossCheckExtractively(input([finding(journal, CLAIM)], [journal]));
    expect([checks[0]?.confidence, checkAgainst().checks[0]?.confidence]).toEqual([0.75, 0.62]);
  });
});

describe('a sentence that stands in many documents', () => {
  const QUESTION = 'Does walking after meals lower blood glucose in adults?';

  const SHARED = 'Walking after meals significantly lowered blood glucose in adults with prediabetes.';

  const OWN_WORDS = [
    SHARED,
    'Blood glucose was significantly lowered by walking after meals in adults with prediabetes.',
    'In adults with prediabetes, walking after meals significantly reduced blood glucose.',
    'Adults with prediabetes had a significantly reduced blood glucose through walking after meals.',
    'Blood glucose significantly decreased with walking after meals in adults with prediabetes.',
  ];

  /** Sentences of other things, so that what the documents share is rare in them and the documents are no near-duplicates. */
  function* otherThings(): Generator<string> {
    const random = randomFrom(7);
    const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
    const who = [
      'A pilot',
      'The choir',
      'One engineer',
      'Our neighbour',
      'Every beekeeper',
      'The gardener',
      'No printer',
    ];
    const did = [
      'painted',
      'repaired',
      'sold',
      'photographed',
      'borrowed',
      'measured',
      'described',
      'forgot',
    ];
    const what = [
      'the harbour',
      'four ladders',
      'a brass clock',
      'the old library',
      'eleven maps',
      'some lime trees',
    ];
    const when = [
      'in the fog',
      'before the ferry came',
      'during the long weekend',
      'after the roof had been mended',
    ];
    for (;;) yield `${one(who)} ${one(did)} ${one(what)} ${one(when)}.`;
  }

  /** The surest confidence in what the texts say, each in a document of its own among others, and how many documents are named for it. */
  async function surest(texts: readonly string[]): Promise<{ confidence: number; sources: number }> {
    const others = otherThings();
    const some = (count: number): string =>
      Array.from({ length: count }, () => others.next().value as string).join(' ');
    const sources = Array.from({ length: 8 }, (_, at): ReadSource => ({
      sourceId: `document-${at + 1}`,
      title: 'Walking after meals and blood glucose',
      quality: { level: 'general', reason: 'a note' },
      content: [some(12), texts[at] ?? some(1), some(12)].join('\n\n'),
    }));
    const { validated } = await passesOver(QUESTION, sources);
    const told = validated.sections
      .flatMap(({ findings }) => findings)
      .filter(({ claim }) => /glucose/i.test(claim));
    return {
      confidence: Math.max(...told.map(({ confidence }) => confidence)),
      sources: new Set(told.flatMap(({ citations }) => citations)).size,
    };
  }

  let alone: Awaited<ReturnType<typeof surest>>;
  beforeAll(async () => {
    alone = await surest([SHARED]);
  });

  it('makes its finding no surer than one document does, and the others are named as well', async () => {
    const copied = await surest(OWN_WORDS.map(() => SHARED));
    expect(copied.confidence).toBe(alone.confidence);
    expect(copied.sources).toBe(OWN_WORDS.length);
  });

  it.each<[string, (at: number) => string]>([
    ['behind a heading in some', (at) => (at % 2 === 0 ? SHARED : `RESULTS OF THE TRIAL: ${SHARED}`)],
    ['in capitals in some', (at) => (at % 2 === 0 ? SHARED : SHARED.toUpperCase())],
    ['with a remark in some', (at) => (at % 2 === 0 ? SHARED : SHARED.replace('.', ' (see Table 2).'))],
    ['behind other sentences', (at) => `Notes of day ${at} follow. ${SHARED}`],
  ])('counts once where it stands %s', async (_how, text) => {
    const { confidence } = await surest(OWN_WORDS.map((_own, at) => text(at)));
    expect(confidence).toBe(alone.confidence);
  });

  it('leaves what documents say in words of their own to make a finding surer', async () => {
    expect((await surest(OWN_WORDS)).confidence).toBeGreaterThan(alone.confidence);
  });
});
