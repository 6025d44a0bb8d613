import type { ActivityPorts } from '../../../../src/activities/shared/ports';
import type { ThreadPool } from '../../../../src/threads/pool';
import { closeEngines, engineAgainst } from '../../../engines/model/engine-under-test';
import { createTestThreads } from '../../../support/test-threads';
import { portsOver } from '../../answer/corpus-under-test';
import pairs from './named-pairs.json';
import { type AskedOfCritic, type CriticsAnswer, namingModel } from './named-model';
import {
  crossReferenced,
  exampleTexts,
  findingOf,
  type PassOptions,
  quoted,
  type Texts,
} from './pass-under-test';

type Pair = (typeof pairs)[number];

let threads: ThreadPool;
const texts = new Map<string, Texts>();
beforeAll(async () => {
  threads = await createTestThreads({ threads: 1 });
  for (const { collection } of pairs)
    if (!texts.has(collection)) texts.set(collection, await exampleTexts(collection));
});
afterAll(() => threads.close());
afterEach(closeEngines);

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

const agreements = pairs.filter(({ relation }) => relation === 'same');
const others = pairs.filter(({ relation }) => relation !== 'same');

describe('agreement that a model names, over both example collections', () => {
  it('has forty pairs that agree and forty that do not', () => {
    expect([agreements.length, others.length]).toEqual([40, 40]);
  });

  it('counts where a critic that is right confirms it, and not where it does not', async () => {
    expect((await counted(others)).length).toBeLessThanOrEqual(1);
    expect((await counted(agreements)).length).toBeGreaterThanOrEqual(36);
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
    [
      'confirms everything with the next best quote',
      ({ quotes: [first] }: AskedOfCritic): CriticsAnswer => ({ verdict: 'supported', ...first }),
    ],
  ])('counts no more than words tell where a critic %s', async (_what, critic) => {
    expect((await counted(others, critic)).length).toBeLessThanOrEqual(1);
  });
});
