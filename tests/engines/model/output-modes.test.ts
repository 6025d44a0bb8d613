import fc from 'fast-check';
import { AnswerNotJsonError, jsonFromAnswer } from '../../../src/engines/model/json/json-answer';
import { ModelFailure } from '../../../src/engines/model/port/model-failure';
import { ThinkingFilter, withoutThinking } from '../../../src/engines/model/port/thinking';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import {
  answersJson,
  refuses,
  answers,
  answersEach,
  completion,
  sendsJson,
} from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { API_KEY, closeEngines, context, engineAgainst, promptText, runAgainst } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT, QUOTES } from './material';

describe('output modes of an engine', () => {
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

  test('an answer paid in a lower output mode is found by a process that starts from the highest', async () => {
    const { engine, another, server } = await engineAgainst([rejected, answersJson(FALLS_ANSWER)]);
    await engine.run(extractFindings, FALLS_INPUT, context());
    const { usage } = await another().run(extractFindings, FALLS_INPUT, context({ runId: 'run-2' }));
    expect(usage).toMatchObject({ calls: 0, cachedCalls: 1 });
    expect(server.asked).toHaveLength(2);
  });

  test.each<[string, Behaviour]>([
    ['400', refuses(400, { message: 'response_format json_schema is not supported' })],
    ['422', refuses(422, { message: 'unknown response_format' })],
    ['500 with a word of it', refuses(500, { message: 'failed to parse grammar' })],
    ['500 without a word', refuses(500, { message: 'Internal Server Error' })],
  ])('an endpoint that answers a schema with %s is asked in a lower mode', async (_name, refusal) => {
    const { engine, server } = await engineAgainst((request) =>
      format(request) === 'json_schema' ? refusal : answersJson(FALLS_ANSWER),
    );
    for (const revision of [0, 1]) await engine.run(extractFindings, FALLS_INPUT, context({ revision }));
    expect(server.asked.map(format)).toEqual(['json_schema', 'json_object', 'json_object']);
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

  test('JSON is read as the list alone', async () => {
    const text = JSON.stringify(FALLS_ANSWER.findings);
    const { output } = await runAgainst(extractFindings, FALLS_INPUT, [answers(text)]);
    expect(output.findings).toHaveLength(1);
  });

  test('any answer of an endpoint gives a valid output or a named error without secrets', async () => {
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
          // A source's title may stand in the reason.
          const secret = new RegExp(`more falls|placebo|${API_KEY}`);
          expect(`${outcome.message} ${JSON.stringify(outcome)}`).not.toMatch(secret);
          return;
        }
        const { output, warnings } = outcome;
        expect(extractFindings.check(FALLS_INPUT, extractFindings.output.parse(output))).toEqual([]);
        expect(JSON.stringify(warnings)).not.toMatch(/more falls|placebo/);
      }),
      { numRuns: 40, seed: 4 },
    );
  });
});

describe('JSON in answers', () => {
  const VALUE = { title: 'Tide pools', sections: [{ id: 's1', text: 'A "quoted" {brace} and [1].' }] };

  const JSON_TEXT = JSON.stringify(VALUE);

  const SINGLE_QUOTES = `{'title': 'Tide pools', 'sections': [{'id': 's1', 'text': 'A "quoted" {brace} and [1].'}]}`;

  const PRETTY = JSON.stringify(VALUE, null, 2);

  describe('The JSON in an answer', () => {
    it.each<[string, string]>([
      ['alone', JSON_TEXT],
      ['with white space around it', `\n\n  ${PRETTY}\n`],
      ['behind a byte order mark', `\ufeff${JSON_TEXT}`],
      ['in a fence', `\`\`\`json\n${PRETTY}\n\`\`\``],
      ['in a fence without a name', `\`\`\`\n${PRETTY}\n\`\`\``],
      ['in a fence that is not closed', `\`\`\`json\n${PRETTY}`],
      ['in a fence amid prose', `Here it is:\n\n\`\`\`json\n${PRETTY}\n\`\`\`\n\nI used [3] and {so on}.`],
      ['amid prose', `Sure! Here's the outline: ${JSON_TEXT} Hope that helps, see [1, 2].`],
      ['behind thinking', `<think>Maybe {"title": "no"}?</think>\n${JSON_TEXT}`],
      [
        'behind thinking whose beginning was in the prompt',
        `Maybe {"title": "no"}?\n</think>\n\n${JSON_TEXT}`,
      ],
      ['behind another try', `{"title": "Draft"}\n\nBetter:\n${JSON_TEXT}`],
      ['inside of a JSON string', JSON.stringify(JSON_TEXT)],
      ['with a comma too many', JSON_TEXT.replace(']}', '],}')],
      ['with a comma too many, behind an example', `Such as {"t": "x"}:\n${PRETTY.replace(/\n\}$/, ',\n}')}`],
      ['with comments', PRETTY.replace('"sections"', '// the sections\n"sections"')],
      ['with single quotes', SINGLE_QUOTES],
      ['without its last bracket', JSON_TEXT.slice(0, -1)],
      ['with a bracket too many', `${JSON_TEXT}}`],
      ['in a tool call', `<tool_call>\n{"name":"respond","arguments":${JSON_TEXT}}\n</tool_call>`],
    ])('is found %s', (_name, text) => {
      expect(jsonFromAnswer(text, 'stop')).toEqual(VALUE);
    });

    it('may have a mark of thinking in its strings', () => {
      const value = { text: 'The model ends with\n</think>\nand <think> begins.' };
      expect(jsonFromAnswer(JSON.stringify(value), 'stop')).toEqual(value);
    });

    const none = ['', '   ', 'No.', '42', 'null', 'true', '"text"', '}]', 'I would say a: 1, b: 2'];
    it.each([...none, '<think>{"a":1}', '<think></think>'])('is not in %j', (text) => {
      expect(() => jsonFromAnswer(text, 'stop')).toThrow(AnswerNotJsonError);
    });

    it('is not made out of an answer that was cut off', () => {
      for (let length = 1; length < PRETTY.length; length += 1)
        for (const before of ['', 'Such as {"title": "x"}:\n'])
          expect(() => jsonFromAnswer(before + PRETTY.slice(0, length), 'length')).toThrow(
            AnswerNotJsonError,
          );
      expect(jsonFromAnswer(`${PRETTY}\nAnd so o`, 'length')).toEqual(VALUE);
    });

    it('is not told in the error', () => {
      expect(() => jsonFromAnswer('secret words', 'stop')).toThrow(/^(?!.*secret)/);
    });
  });

  describe('Thinking', () => {
    const IN_CODE = 'It writes `<think>` and then\n</think>\nin the end.';
    it.each([
      ['<think>hm</think>Crabs.', 'Crabs.'],
      ['\n<think>\nhm\n</think>\n\nCrabs.', 'Crabs.'],
      ['<THINK>hm</Think>Crabs.', 'Crabs.'],
      ['<thinking>hm</thinking>Crabs.', 'Crabs.'],
      ['[THINK]hm[/THINK]Crabs.', 'Crabs.'],
      ['<think>a</think><think>b</think>Crabs.', 'Crabs.'],
      ['hm, hm.\n</think>\n\nCrabs.', 'Crabs.'],
      ['hm</think>{"a":1}', '{"a":1}'],
      [
        '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Crabs.<|return|>',
        'Crabs.',
      ],
      ['<|start|>assistant<|channel|>final<|message|>Crabs.<|return|>', 'Crabs.'],
      ['<|channel|>analysis<|message|>hm<|end|><|channel|>final json<|message|>{"a":1}', '{"a":1}'],
      ['<|channel|>final <|constrain|>json<|message|>{"a":1}', '{"a":1}'],
      ['<|channel>thought\nhm<channel|>Crabs.', 'Crabs.'],
      ['<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Crabs.<|END_RESPONSE|>', 'Crabs.'],
      ['◁think▷hm◁/think▷Crabs.', 'Crabs.'],
      ['<|channel|>analysis<|message|>hm, and then', ''],
      ['analysisThe user wants crabs.assistantfinalCrabs.', 'Crabs.'],
      ['analysis of crabs', 'analysis of crabs'],
      ['Analysis', 'Analysis'],
      ['<think>hm, and then', ''],
      ['<think>', ''],
      ['<think></think>', ''],
      ['Crabs.', 'Crabs.'],
      ['  Crabs. ', 'Crabs. '],
      ['<table>', '<table>'],
      ['It writes <think> first.', 'It writes <think> first.'],
      [IN_CODE, IN_CODE],
      ['The mark </think> ends it.', 'The mark </think> ends it.'],
      ['', ''],
    ])('is taken out of %j', (text, expected) => {
      expect(withoutThinking(text)).toBe(expected);
    });

    it('is taken out the same while it comes, however it is cut', () => {
      const marks = ['<think>', '</think>', '<thi', 'nk>', '</', '<', 'thinking>', '[THINK]'];
      const piece = fc.constantFrom(...marks, 'hm', ' ', '\n', 'Crabs.');
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
          const filter = new ThinkingFilter();
          const whole = new ThinkingFilter();
          const text = pieces.join('');
          const inPieces = pieces.map((part) => filter.push(part)).join('') + filter.end();
          expect(inPieces).toBe(whole.push(text) + whole.end());
          // A mark that only closes cannot be foreseen.
          if (!/^(?:(?!<think)[^])*<\/think/.test(text)) expect(inPieces).toBe(withoutThinking(text));
        }),
        { seed: 11, numRuns: 2_000 },
      );
    });
  });
});
