import type { ThreadPool } from '../../src/engines/thread-pool';
import { closeEngines, engineAgainst } from '../engines/model/engine-under-test';
import { createTestThreads } from '../support/test-threads';
import { portsOver } from './corpus-under-test';
import { namingModel } from './named-model';
import { crossReferenced, exampleTexts, findingOf, quoted, type Texts } from './pass-under-test';

afterEach(closeEngines);

const QUESTION = 'Does vitamin D supplementation improve lung function?';

const NOT_CHANGED =
  'Vitamin D supplementation did not change forced expiratory volume in one second (FEV1) in patients with COPD: it was 52% ± 17% of the predicted value before and after (p = 0.866).';

const INCREASED =
  'Vitamin D supplementation significantly increased forced expiratory volume in one second (FEV1) in patients with severe COPD, from 34.6 ± 8.5 to 51.6 ± 9.4, while FEV1 did not change with placebo (34.4 ± 9.2 before and 31.9 ± 7.6 after; p < 0.001 between the groups).';

let threads: ThreadPool;
let texts: Texts;

beforeAll(async () => {
  threads = await createTestThreads({ threads: 1 });
  texts = await exampleTexts('vitamin-d');
});

afterAll(() => threads.close());

const findings = (): ReturnType<typeof findingOf>[] => [
  findingOf('one', 'Vitamin D did not change FEV1 in patients with COPD.', [
    quoted(texts, 'moosavi-2015-copd', NOT_CHANGED),
  ]),
  findingOf('other', 'Vitamin D increased FEV1 in patients with severe COPD.', [
    quoted(texts, 'zendedel-2015-copd', INCREASED),
  ]),
];

/** What pass 3 makes of findings with a model that names this. */
async function passed(named: Parameters<typeof namingModel>[0]): ReturnType<typeof crossReferenced> {
  const { engine, stores } = await engineAgainst(namingModel(named));
  const ports = { ...portsOver(stores, threads), engines: { openai: engine, extractive: engine } };
  return crossReferenced(ports, texts, findings(), { question: QUESTION });
}

test('a conflict that a model names stands as it was named, its reason as an inference', async () => {
  const reason = 'The groups differ in how severe the disease was, so severity may decide who gains.';
  const conflict = {
    topic: 'vitamin D and FEV1 in patients with COPD',
    kind: 'direction',
    findings: ['F1', 'F2'],
    viewpoints: [{ evidence: [NOT_CHANGED] }, { evidence: [INCREASED] }],
    resolution: 'present_both',
    reason,
  };
  const { conflicts, sections } = await passed(() => ({ conflicts: [conflict] }));
  expect(conflicts).toMatchObject([
    { topic: conflict.topic, reason, isInferred: true, resolution: 'present_both' },
  ]);
  expect(sections[0]?.findings.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
});

test('words look for no conflict where a model was asked for them', async () => {
  expect((await passed(() => ({}))).conflicts).toEqual([]);
});
