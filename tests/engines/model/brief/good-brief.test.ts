import { planBrief } from '../../../../src/steps/plan-brief/plan-brief';
import { writeBrief } from '../../../../src/steps/write-brief/write-brief';
import { writeBriefPart } from '../../../../src/steps/write-brief-part/write-brief-part';
import { createGoodModel } from '../../../model-server/good-model';
import { closeEngines, context, engineAgainst } from '../engine-under-test';
import { BONE, briefInput, FALLS, partInput, planInput } from './brief-material';

afterEach(closeEngines);

test('a good model’s plan, whole brief and part stand as they were written', async () => {
  const model = createGoodModel();
  const { engine, server } = await engineAgainst((request) => model.answer(request));
  const plan = await engine.run(planBrief, planInput(), context());
  const whole = await engine.run(writeBrief, briefInput({ plan: plan.output }), context());
  const part = await engine.run(writeBriefPart, partInput({ plan: plan.output }), context());

  expect([...plan.warnings, ...whole.warnings, ...part.warnings]).toEqual([]);
  expect(server.asked).toHaveLength(3);
  expect(whole.output.parts.map(({ id }) => id)).toEqual(plan.output.parts.map(({ id }) => id));
  const told = whole.output.parts.flatMap(({ id, draft }) =>
    id.startsWith('subtopic-') ? draft.claims.flatMap(({ findingIds }) => findingIds) : [],
  );
  expect(told).toEqual([...BONE, ...FALLS].map(({ id }) => id));
  const claims = [...whole.output.parts.flatMap(({ draft }) => draft.claims), ...part.output.claims];
  expect(new Set(claims.map(({ standing }) => standing))).toEqual(new Set(['close']));
});
