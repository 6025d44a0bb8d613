import fc from 'fast-check';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import {
  answers,
  answersEach,
  answersJson,
  completion,
  refuses,
  sendsJson,
} from '../../model-server/behaviours';
import type { RecordedRequest } from '../../model-server/model-server';
import { API_KEY, closeEngines, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT, QUOTES } from './material';

afterEach(closeEngines);

function format(request: RecordedRequest | undefined): unknown {
  const given = request?.body?.['response_format'];
  return typeof given === 'object' && given !== null && 'type' in given ? given.type : null;
}

const message = "'response_format' of type 'json_schema' is not supported with this model.";
const rejected = refuses(400, { message, param: 'response_format' });

test('an endpoint that takes no schema is asked with it in the prompt, from then on at once', async () => {
  const { engine, server } = await engineAgainst([rejected, ...answersEach(FALLS_ANSWER, FALLS_ANSWER)]);
  await engine.run(extractFindings, FALLS_INPUT, context());
  await engine.run(extractFindings, FALLS_INPUT, context({ revision: 1 }));
  expect(server.asked.map(format)).toEqual(['json_schema', 'json_object', 'json_object']);
  expect(promptText(server.asked[0])).not.toContain('"additionalProperties"');
  expect(promptText(server.asked[1])).toContain('"additionalProperties"');
});

test('what was paid for on a lower rung is found by a process that starts from the top', async () => {
  const { engine, another, server } = await engineAgainst([rejected, answersJson(FALLS_ANSWER)]);
  await engine.run(extractFindings, FALLS_INPUT, context());
  const { usage } = await another().run(extractFindings, FALLS_INPUT, context({ runId: 'run-2' }));
  expect(usage).toMatchObject({ calls: 0, cachedCalls: 1 });
  expect(server.asked).toHaveLength(2);
});

test('a server that fails over the schema is asked without it at once; one that is down is not taken for it', async () => {
  const failing = refuses(500, { message: 'internal error' });
  const { warnings, server } = await runAgainst(extractFindings, FALLS_INPUT, (request) =>
    format(request) === 'json_schema' ? failing : answersJson(FALLS_ANSWER),
  );
  expect(warnings).toEqual([]);
  expect(server.asked.map(format)).toEqual(['json_schema', 'json_object']);
  const down = await engineAgainst(() => refuses(503, { message: 'overloaded' }));
  const run = down.engine.run(extractFindings, FALLS_INPUT, context());
  await expect(run).rejects.toMatchObject({ retryable: true });
  expect(down.server.asked).toHaveLength(1);
});

test.each([
  ['in a fence', `Here you are:\n\`\`\`json\n${JSON.stringify(FALLS_ANSWER)}\n\`\`\`\nAnything else?`],
  ['after thinking', `<think>They want {"findings": []}.</think>\n${JSON.stringify(FALLS_ANSWER)}`],
  ['with a comma too many', JSON.stringify(FALLS_ANSWER).replace(']}', '],}')],
  ['as the list alone', JSON.stringify(FALLS_ANSWER.findings)],
])('JSON %s is read', async (_how, text) => {
  const { output } = await runAgainst(extractFindings, FALLS_INPUT, [answers(text)]);
  expect(output.findings).toHaveLength(1);
});

test('whatever an endpoint answers, a step gives a valid output or fails by name, and tells nothing secret', async () => {
  const source = fc.constantFrom('S1', 'S2', 'x');
  const evidence = fc.array(fc.record({ source, quote: fc.constantFrom(QUOTES.c, QUOTES.a, '') }));
  const fields = {
    claim: fc.oneof(fc.string(), fc.constant('Vitamin D led to 15% more falls.'), fc.constant(null)),
    evidence: fc.oneof(evidence, fc.jsonValue()),
    confidence: fc.oneof(fc.double(), fc.string()),
  };
  const found = fc
    .array(fc.record(fields, { requiredKeys: [] }))
    .map((findings) => JSON.stringify({ findings }));
  const reason = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls', null);
  const body = fc.oneof(
    fc.string().map((text) => completion(text)),
    fc.jsonValue().map((value) => completion(JSON.stringify(value))),
    found.map((text) => completion(text)),
    fc.tuple(found, reason).map(([text, finishReason]) => completion(text.slice(0, -3), { finishReason })),
    fc.jsonValue(),
  );
  let next: unknown = null;
  let turn = 0;
  const { engine } = await engineAgainst(() => sendsJson(next));
  await fc.assert(
    fc.asyncProperty(body, async (given) => {
      next = given;
      turn += 1;
      const run = engine.run(extractFindings, FALLS_INPUT, context({ revision: turn }));
      const outcome = await run.catch((error: unknown) => error as Error);
      if (outcome instanceof Error) {
        expect(outcome instanceof StepFailedError || outcome instanceof ModelFailure).toBe(true);
        const secret = new RegExp(`falls|placebo|${API_KEY}`);
        expect(`${outcome.message} ${JSON.stringify(outcome)}`).not.toMatch(secret);
        return;
      }
      const { output, warnings } = outcome;
      expect(extractFindings.check(FALLS_INPUT, extractFindings.output.parse(output))).toEqual([]);
      expect(JSON.stringify(warnings)).not.toMatch(/falls|placebo/);
    }),
    { numRuns: 120, seed: 4 },
  );
});
