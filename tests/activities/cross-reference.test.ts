import type { ActivityPorts } from '../../src/activities/shared/ports';
import type { ThreadPool } from '../../src/threads/pool';
import { closeEngines, engineAgainst } from '../engines/model/engine-under-test';
import { cases } from '../support/long';
import { createTestThreads } from '../support/test-threads';
import { portsOver } from './corpus-under-test';
import { type AskedOfCritic, type CriticsAnswer, namingModel } from './named-model';
import pairs from './named-pairs.json';
import {
  crossReferenced,
  exampleTexts,
  findingOf,
  type PassOptions,
  quoted,
  type Texts,
} from './pass-under-test';

afterEach(closeEngines);

describe('agreement that a model names, over both example collections', () => {
  type Pair = (typeof pairs)[number];

  let threads: ThreadPool;

  const texts = new Map<string, Texts>();

  beforeAll(async () => {
    threads = await createTestThreads({ threads: 1 });
    for (const { collection } of pairs)
      if (!texts.has(collection)) texts.set(collection, await exampleTexts(collection));
  });

  afterAll(() => threads.close());

  const QUESTIONS: Record<string, string> = {
    'vitamin-d': 'Does vitamin D supplementation improve health outcomes in adults?',
    'smaller-language-models': 'How can language models be made smaller without losing performance?',
  };

  /** Says what is true of a sentence and a quote: a quote word for word says itself, and pairs are as they were read by hand. */
  function rightCritic({ text, quotes }: AskedOfCritic): CriticsAnswer {
    for (const { source, quote } of quotes) {
      if (quote.includes(text)) return { verdict: 'supported', source, quote };
      const pair = pairs.find((one) => one.claim === text && one.quote === quote);
      if (pair?.relation === 'same') return { verdict: 'supported', source, quote };
      if (pair?.relation === 'opposite') return { verdict: 'contradicted', source, quote };
    }
    return { verdict: 'unsupported' };
  }

  async function portsWith(script: ReturnType<typeof namingModel>): Promise<ActivityPorts> {
    const { engine, stores } = await engineAgainst(script);
    return {
      ...portsOver(stores, threads),
      engines: { openai: engine, extractive: engine },
    };
  }

  /** Whether a quote that a model names as supporting stands beside the finding at the end of pass 3, and makes it surer. */
  async function counted(
    of: readonly Pair[],
    critic: (asked: AskedOfCritic) => CriticsAnswer | null = rightCritic,
    options: PassOptions = {},
  ): Promise<Pair[]> {
    let pair: Pair | undefined;
    const ports = await portsWith(
      namingModel(
        () => ({ checks: [{ finding: 'F1', supporting: [pair?.quote], contradicting: [] }] }),
        critic,
      ),
    );
    const found: Pair[] = [];
    for (pair of of) {
      const { collection, claim, source, words, other, quote } = pair;
      const all = texts.get(collection) ?? {};
      const bystanders = pairs
        .filter((one) => one.collection === collection && ![source, other].includes(one.source))
        .slice(0, 4)
        .map((one, at) => findingOf(`bystander-${at}`, one.claim, [quoted(all, one.source, one.words)]));
      const findings = [findingOf('asked', claim, [quoted(all, source, words)]), ...bystanders];
      const { sections } = await crossReferenced(ports, all, findings, {
        question: QUESTIONS[collection] ?? '',
        ...options,
      });
      const finding = sections[0]?.findings.find(({ id }) => id === 'asked');
      const stands: boolean =
        finding?.evidence.some((one) => one.sourceId === other && one.quote === quote) === true;
      expect((finding?.confidence ?? 0) >= 0.85).toBe(stands);
      if (stands) found.push(pair);
    }
    return found;
  }

  /** All pairs in the long form, every fifth in the short one. */
  const some = (of: readonly Pair[]): Pair[] => of.filter((_pair, at) => at % cases(5, 1) === 0);

  const agreements = some(pairs.filter(({ relation }) => relation === 'same'));

  const others = some(pairs.filter(({ relation }) => relation !== 'same'));

  it('has as many pairs that agree as pairs that do not', () => {
    expect([agreements.length, others.length]).toEqual([cases(8, 40), cases(8, 40)]);
  });

  it('counts where a critic that is right confirms it, and not where it does not', async () => {
    expect((await counted(others)).length).toBeLessThanOrEqual(1);
    expect((await counted(agreements)).length).toBeGreaterThanOrEqual(0.9 * agreements.length);
  });

  it('counts without a critic only where words tell', async () => {
    expect((await counted(others, rightCritic, { withoutCritic: true })).length).toBeLessThanOrEqual(1);
    expect(await counted(agreements, rightCritic, { withoutCritic: true })).not.toEqual([]);
  });

  it.each([
    ['is silent', (): null => null],
    ['confirms without a quote', (): CriticsAnswer => ({ verdict: 'supported' })],
    [
      'confirms with words that stand nowhere',
      ({ quotes }: AskedOfCritic): CriticsAnswer => ({
        verdict: 'supported',
        source: quotes[0]?.source ?? '',
        quote: 'these are words that nobody has written',
      }),
    ],
  ])('counts no more than words tell where a critic %s', async (_what, critic) => {
    expect((await counted(others, critic)).length).toBeLessThanOrEqual(1);
  });
});

describe('named conflicts', () => {
  const QUESTION = 'Does vitamin D supplementation improve lung function?';

  const NOT_CHANGED =
    'Vitamin D supplementation did not change forced expiratory volume in one second (FEV1) in patients with COPD: it was 52% ± 17% of the predicted value before and after (p = 0.866).';

  const INCREASED =
    'Vitamin D supplementation significantly increased forced expiratory volume in one second (FEV1) in patients with severe COPD, from 34.6 ± 8.5 to 51.6 ± 9.4, while FEV1 did not change with placebo (34.4 ± 9.2 before and 31.9 ± 7.6 after; p < 0.001 between the groups).';

  const WALKED =
    'The distance walked in six minutes was 350 m before and 360 m after supplementation (p = 0.175), and oxygen saturation during exercise did not improve either (p = 0.635).';

  const EXACERBATIONS =
    'The number of COPD exacerbations fell from 18.0 ± 3.3 to 9.7 ± 1.3 with vitamin D and stayed at about 18.8 with placebo (p < 0.001).';

  let threads: ThreadPool;

  let texts: Texts;

  beforeAll(async () => {
    threads = await createTestThreads({ threads: 1 });
    texts = await exampleTexts('vitamin-d');
  });

  afterAll(() => threads.close());

  const moosavi = (): ReturnType<typeof quoted> => quoted(texts, 'moosavi-2015-copd', NOT_CHANGED);

  const zendedel = (): ReturnType<typeof quoted> => quoted(texts, 'zendedel-2015-copd', INCREASED);

  const findings = (): ReturnType<typeof findingOf>[] => [
    findingOf('one', 'Vitamin D did not change FEV1 in patients with COPD.', [moosavi()]),
    findingOf('other', 'Vitamin D increased FEV1 in patients with severe COPD.', [zendedel()]),
  ];

  async function portsWith(script: ReturnType<typeof namingModel>): Promise<ActivityPorts> {
    const { engine, stores } = await engineAgainst(script);
    return { ...portsOver(stores, threads), engines: { openai: engine, extractive: engine } };
  }

  /** Confirms quotes word for word, and says what it is told to say of FEV1 beside anything else. */
  function critic(verdict: string): (asked: AskedOfCritic) => CriticsAnswer {
    return ({ text, quotes }) => {
      const own = quotes.find(({ quote }) => quote === text);
      if (own !== undefined) return { verdict: 'supported', ...own };
      return text.includes('FEV1') ? { verdict, ...quotes[0] } : { verdict: 'unsupported' };
    };
  }

  function told(reason: string): unknown {
    return {
      topic: 'vitamin D and FEV1 in patients with COPD',
      kind: 'direction',
      findings: ['F1', 'F2'],
      viewpoints: [{ evidence: [NOT_CHANGED] }, { evidence: [INCREASED] }],
      resolution: 'present_both',
      reason,
    };
  }

  /** What pass 3 makes of findings, with a model that names this and a critic that says that. */
  async function passed(
    named: Parameters<typeof namingModel>[0],
    says: Parameters<typeof namingModel>[1],
    options: PassOptions = {},
    given = findings(),
  ): ReturnType<typeof crossReferenced> {
    const ports = await portsWith(namingModel(named, says));
    return crossReferenced(ports, texts, given, { question: QUESTION, ...options });
  }

  describe('conflicts', () => {
    it('found by words are kept only if the critic confirms them', async () => {
      const unnamed = (): object => ({});
      const found = await passed(unnamed, critic('contradicted'), { checks: false });
      expect(found.conflicts).toMatchObject([{ kind: 'direction', viewpoints: [{}, {}] }]);
      const none = await passed(unnamed, critic('unsupported'), { checks: false });
      expect(none.conflicts).toEqual([]);
      expect(none.sections[0]?.findings.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
      const byWords = await passed(unnamed, critic('unsupported'), { checks: false, withoutCritic: true });
      expect(byWords.conflicts).toHaveLength(1);
    });

    it('named by a model keep its reason as an inference, and are dropped if nobody confirms them', async () => {
      const reason = 'The groups differ in how severe the disease was, so severity may decide who gains.';
      const named = (): object => ({ conflicts: [told(reason)] });
      const { conflicts } = await passed(named, critic('contradicted'));
      expect(conflicts).toMatchObject([{ reason, isInferred: true, resolution: 'present_both' }]);
      expect((await passed(named, critic('unsupported'))).conflicts).toEqual([]);
    });

    it('named by a model between unrelated sentences lower no confidence', async () => {
      const named = (): object => ({
        checks: [{ finding: 'F1', supporting: [], contradicting: [EXACERBATIONS] }],
      });
      const sure = findings()
        .slice(0, 1)
        .map((finding) => ({ ...finding, confidence: 0.69 }));
      const { conflicts, sections } = await passed(named, critic('unsupported'), {}, sure);
      expect(conflicts).toEqual([]);
      expect(sections[0]?.findings).toMatchObject([{ confidence: 0.69 }]);
    });
  });

  describe('a finding that comes with several sources', () => {
    it('keeps those that say it, and those that say a part without being surer for them', async () => {
      const claim = 'Vitamin D was tried in patients with COPD and left exercise capacity as it was.';
      const says = ({ text, quotes }: AskedOfCritic): CriticsAnswer => {
        const [first] = quotes;
        if (quotes.some(({ quote }) => quote === text)) return { verdict: 'supported', ...first };
        if (text !== claim || first?.quote !== EXACERBATIONS) return { verdict: 'unsupported' };
        return { verdict: 'partial', ...first };
      };
      const harmless = 'No adverse effects of the supplements were reported.';
      const evidence = [
        quoted(texts, 'moosavi-2015-copd', WALKED),
        quoted(texts, 'zendedel-2015-copd', EXACERBATIONS),
        quoted(texts, 'griffiths-2015-prenatal', harmless),
      ];
      const joint = { ...findingOf('joint', claim, evidence), confidence: 0.89 };
      const { sections } = await passed(() => ({}), says, { checks: false }, [joint]);
      const citations = ['moosavi-2015-copd', 'zendedel-2015-copd'];
      expect(sections[0]?.findings).toMatchObject([
        { citations, inPart: ['zendedel-2015-copd'], confidence: 0.69 },
      ]);
    });
  });
});
