import { splitSentences } from '../../../src/language/sentences';
import { ValidatedFindings } from '../../../src/contracts/report/finding';
import { answersJson } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { Script } from '../../model-server/model-server';
import { findingsIn, materialIn, stepOfPrompt } from '../../model-server/prompt-material';
import { openModelBench, type ModelBench } from './model-bench';

let bench: ModelBench;
beforeAll(async () => {
  bench = await openModelBench();
});
afterEach(() => bench.rest());
afterAll(() => bench.close());

/** A good model, but that it names for each finding the first sentence of some other source as saying the same. */
function naming(names: boolean): Script {
  const model = createGoodModel();
  return (request) => {
    const [system = '', user = ''] = messagesOf(request);
    if (stepOfPrompt(system, user) !== 'cross-check') return model.answer(request);
    const material = materialIn(user);
    const sources = [...material].filter(([name]) => /^S\d+$/.test(name));
    const checks = findingsIn(material.get('findings') ?? '').map(({ id, evidence }, at) => {
      const own = new Set(evidence.map(({ source }) => source));
      const others = sources.filter(([source]) => !own.has(source));
      const [source = '', text = ''] = others[at % Math.max(1, others.length)] ?? [];
      const quote = splitSentences(text).find(({ text: said }) => /^\p{Lu}.*\w\.$/u.test(said))?.text;
      const supporting = names && quote !== undefined ? [{ source, quote }] : [];
      return { finding: id, supporting, contradicting: [] };
    });
    return answersJson({ checks, conflicts: [], gaps: [] });
  };
}

async function findingsOf(
  runId: string,
  names: boolean,
): Promise<[claim: string, confidence: number, sources: string[]][]> {
  const served = await bench.serve(naming(names));
  await served.report(runId, {
    question: `Does vitamin D supplementation improve health outcomes in adults?`,
  });
  const validated = ValidatedFindings.parse(await bench.colligate.run(runId).passResult('cross-reference'));
  await bench.rest();
  return validated.sections
    .flatMap(({ findings }) => findings)
    .map(({ claim, confidence, citations }): [string, number, string[]] => [
      claim,
      confidence,
      [...citations].sort(),
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

test('sentences of other sources that a model names without a reason raise no confidence and stand beside nothing', async () => {
  const plain = await findingsOf('names-nothing', false);
  const named = await findingsOf('names-anything', true);
  expect(plain.length).toBeGreaterThan(20);
  expect(named).toEqual(plain);
});
