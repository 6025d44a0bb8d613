import type { ActivityPorts } from '../../../../src/activities/shared/ports';
import type { ThreadPool } from '../../../../src/threads/pool';
import { closeEngines, engineAgainst } from '../../../engines/model/engine-under-test';
import { createTestThreads } from '../../../support/test-threads';
import { portsOver } from '../../answer/corpus-under-test';
import { type AskedOfCritic, type CriticsAnswer, namingModel } from './named-model';
import { crossReferenced, exampleTexts, findingOf, quoted, type Texts } from './pass-under-test';

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
afterEach(closeEngines);

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

describe('conflicts', () => {
  it('that words find stand only where a critic that can be asked finds them too', async () => {
    const contradicted = await portsWith(namingModel(() => ({}), critic('contradicted')));
    const found = await crossReferenced(contradicted, texts, findings(), {
      question: QUESTION,
      checks: false,
    });
    expect(found.conflicts).toMatchObject([{ kind: 'direction', viewpoints: [{}, {}] }]);
    const refused = await portsWith(namingModel(() => ({}), critic('unsupported')));
    const none = await crossReferenced(refused, texts, findings(), { question: QUESTION, checks: false });
    expect(none.conflicts).toEqual([]);
    expect(none.sections[0]?.findings.map(({ confidence }) => confidence)).toEqual([0.6, 0.6]);
    const byWords = await crossReferenced(refused, texts, findings(), {
      question: QUESTION,
      checks: false,
      withoutCritic: true,
    });
    expect(byWords.conflicts).toHaveLength(1);
  });

  it('that a model tells keep its reason, as an inference, and go where nobody confirms them', async () => {
    const reason = 'The groups differ in how severe the disease was, so severity may decide who gains.';
    const model = namingModel(() => ({ conflicts: [told(reason)] }), critic('contradicted'));
    const { conflicts } = await crossReferenced(await portsWith(model), texts, findings(), {
      question: QUESTION,
    });
    expect(conflicts).toMatchObject([{ reason, isInferred: true, resolution: 'present_both' }]);
    const refusing = namingModel(() => ({ conflicts: [told(reason)] }), critic('unsupported'));
    const none = await crossReferenced(await portsWith(refusing), texts, findings(), { question: QUESTION });
    expect(none.conflicts).toEqual([]);
  });

  it('that a model makes of sentences on other things lower no confidence', async () => {
    const model = namingModel(
      () => ({ checks: [{ finding: 'F1', supporting: [], contradicting: [EXACERBATIONS] }] }),
      critic('unsupported'),
    );
    const [finding] = findings();
    if (finding === undefined) throw new Error('no finding');
    const sure = { ...finding, confidence: 0.69 };
    const { conflicts, sections } = await crossReferenced(await portsWith(model), texts, [sure], {
      question: QUESTION,
    });
    expect(conflicts).toEqual([]);
    expect(sections[0]?.findings).toMatchObject([{ confidence: 0.69 }]);
  });
});

describe('a finding that comes with several sources', () => {
  it('keeps those that say it, and those that say a part without being surer for them', async () => {
    const claim = 'Vitamin D was tried in patients with COPD and left exercise capacity as it was.';
    const model = namingModel(
      () => ({}),
      ({ text, quotes }) => {
        const [first] = quotes;
        if (quotes.some(({ quote }) => quote === text)) return { verdict: 'supported', ...first };
        if (text !== claim || first === undefined) return { verdict: 'unsupported' };
        if (first.quote === EXACERBATIONS) return { verdict: 'partial', ...first };
        return { verdict: 'unsupported' };
      },
    );
    const finding = {
      ...findingOf('joint', claim, [
        quoted(texts, 'moosavi-2015-copd', WALKED),
        quoted(texts, 'zendedel-2015-copd', EXACERBATIONS),
        quoted(texts, 'griffiths-2015-prenatal', 'No adverse effects of the supplements were reported.'),
      ]),
      confidence: 0.89,
    };
    const { sections } = await crossReferenced(await portsWith(model), texts, [finding], {
      question: QUESTION,
      checks: false,
    });
    expect(sections[0]?.findings).toMatchObject([
      {
        citations: ['moosavi-2015-copd', 'zendedel-2015-copd'],
        inPart: ['zendedel-2015-copd'],
        confidence: 0.69,
      },
    ]);
  });
});
