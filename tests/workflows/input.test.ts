import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import fc from 'fast-check';
import { engineNames } from '../../src/contracts/pipeline';
import { AnswerStart, ReportStart } from '../../src/contracts/start';
import { UnreadablePayload } from '../../src/lib/json';
import type { JsonSchema } from '../../src/lib/json-schema';
import { parseAnswerInput } from '../../src/workflows/answer-request';
import { argumentProblems, limitProblems } from '../../src/workflows/input';
import { payloadConverter } from '../../src/workflows/payload-converter';
import { parseReportInput } from '../../src/workflows/report-state';

describe('start of an answer', () => {
  const RUN = { runId: 'request:1', startedAt: '2026-01-01T00:00:00.000Z' };

  const ASKED = { question: 'Does it work?' };

  it('fills in what an outsider leaves out, as the contract does, with two minutes of patience', () => {
    const { runId: _id, asOf: _asOf, ...filled } = AnswerStart.parse(ASKED);
    const outages = { patienceMs: 120_000, afterwards: 'fail' };
    const input = { ...filled, runId: RUN.runId, asOf: RUN.startedAt, outages };
    expect(parseAnswerInput(ASKED, RUN)).toEqual({ input });
  });

  it.each<[string, object, { question: string; history: string[] }]>([
    ['a question', ASKED, { question: 'Does it work?', history: [] }],
    [
      'the first message of a human',
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Which?' },
          { role: 'ai', content: 'This.' },
          { role: 'human', content: 'Sure?' },
        ],
      },
      { question: 'Which?', history: ['Be brief.'] },
    ],
    [
      'a question behind messages',
      { ...ASKED, history: [{ role: 'human', content: '1' }], messages: [{ role: 'ai', content: '2' }] },
      { question: 'Does it work?', history: ['1', '2'] },
    ],
  ])('asks %s', (_name, given, { question, history }) => {
    expect(parseAnswerInput(given, RUN)).toMatchObject({
      input: { question, history: history.map((content) => ({ content })) },
    });
  });

  it.each<[string, object, RegExp]>([
    ['nothing', {}, /^question is missing; allowed: a text that asks something, or messages/],
    ['an empty question', { question: ' ' }, /^question is " "; allowed: a text of 1 to 4,000/],
    ['no human', { messages: [{ role: 'ai', content: 'Hello.' }] }, /^question is missing/],
    ['a human who says nothing', { messages: [{ role: 'human', content: ' ' }] }, /^question is missing/],
    [
      'a human who says too much',
      { messages: [{ role: 'human', content: 'x'.repeat(4_001) }] },
      /^the first message of a human is "x+…" \(4,001 characters\); allowed: a text of 1 to 4,000/,
    ],
    ['a model without its name', { ...ASKED, engine: 'openai' }, /^models is missing/],
    ['a time that is none', { ...ASKED, asOf: 'soon' }, /^asOf is "soon"/],
    ['sources that are not counted', { ...ASKED, manifestRef: 'a'.repeat(64) }, /^sourceCount is 0/],
    ['a misspelt field', { ...ASKED, observation: [] }, /^observation is no field.*"observations" is meant/],
  ])('refuses %s', (_name, given, problem) => {
    const read = parseAnswerInput(given, RUN);
    expect('problems' in read ? read.problems : []).toEqual([expect.stringMatching(problem)]);
  });
});

describe('start of a report', () => {
  const RUN = { runId: 'nightly:1', startedAt: '2026-01-01T00:00:00.000Z' };

  const MANIFEST = 'a'.repeat(64);

  /** As a problem names them. */
  const ENGINES = engineNames.map((name) => `"${name}"`).join(' or ');

  const LEAST = { question: 'Does it work?', manifestRef: MANIFEST, sourceCount: 3 };

  it('fills in what an outsider leaves out, as the contract does', () => {
    const { runId, asOf, ...filled } = ReportStart.parse(LEAST);
    expect([runId, asOf]).toEqual([undefined, undefined]);
    const input = { ...filled, runId: RUN.runId, asOf: RUN.startedAt };
    expect(parseReportInput(LEAST, RUN)).toEqual({ input });
  });

  it('keeps what is given, beside the defaults of the rest', () => {
    const given = { budget: { maxTokens: 5 }, asOf: '2025-05-05' };
    const read = parseReportInput({ ...LEAST, ...given, synthesis: { targetReportLength: 900 } }, RUN);
    const synthesis = { targetReportLength: 900, pass3CrossRefCount: 30, sourceQualityRules: [] };
    expect(read).toMatchObject({ input: { ...given, synthesis } });
  });

  it.each<[string, unknown, RegExp[]]>([
    ['nothing', undefined, [/^the input is missing; allowed: an object with runId, kind, question/]],
    ['a text', 'Does it work?', [/^the input is "Does it work\?"; allowed: an object with/]],
    ['a list', [LEAST], [/^the input is \[\{.*…; allowed: an object/]],
    [
      'a question alone',
      { question: 'x' },
      [
        /^manifestRef is missing; allowed: a reference in the content store: 64 hexadecimal digits/,
        /^sourceCount is missing; allowed: a whole number above 0$/,
      ],
    ],
    [
      'a blank question',
      { ...LEAST, question: ' \n' },
      [/^question is " \\n"; allowed: a text of 1 to 4,000/],
    ],
    [
      'half a source',
      { ...LEAST, sourceCount: 1.5 },
      [/^sourceCount is 1\.5; allowed: a whole number above 0$/],
    ],
    [
      'misspelt fields',
      { ...LEAST, budgets: {}, synthesis: { citationstyle: 'url' }, zebra: 1 },
      [
        /^synthesis\.citationstyle is no field of the input; "citationStyle" is meant, perhaps$/,
        /^budgets is no field of the input; "budget" is meant, perhaps$/,
        /^zebra is no field of the input; allowed: runId, kind, /,
      ],
    ],
    [
      'values beyond what is allowed, everywhere',
      {
        ...LEAST,
        kind: 'brief',
        engine: 'gpt',
        asOf: 5,
        synthesis: { citationStyle: 'footnotes', confidenceThreshold: 2, pass1SummaryCount: -2 },
        budget: { maxTokens: 0 },
        stepVersions: { outline: 3 },
      },
      [
        /^kind is "brief"; allowed: "report"$/,
        /^asOf is 5; allowed: an ISO 8601 time/,
        new RegExp(`^engine is "gpt"; allowed: ${ENGINES}$`),
        /^stepVersions\.outline is 3; allowed: a text$/,
        /^synthesis\.citationStyle is "footnotes"; allowed: "numbered" or "url"$/,
        /^synthesis\.confidenceThreshold is 2; allowed: a number from 0 to 1$/,
        /^synthesis\.pass1SummaryCount is -2; allowed: -1 for all, or a whole number of at least 1$/,
        /^budget\.maxTokens is 0; allowed: a whole number above 0$/,
      ],
    ],
    [
      'a model without what bounds it',
      { ...LEAST, engine: 'openai', models: { fast: { name: 'm' }, strong: null } },
      [
        /^models\.critic is missing; allowed: an object with name, contextTokens, price$/,
        /^models\.fast\.contextTokens is missing/,
        /^models\.fast\.price is missing; allowed: an object with input, output, or null$/,
        /^models\.strong is null; allowed: an object/,
      ],
    ],
    [
      'no model for an engine that asks one',
      { ...LEAST, engine: 'openai' },
      [/^models is missing; the openai engine/],
    ],
    [
      'settings that do not go together',
      {
        ...LEAST,
        asOf: 'soon',
        synthesis: {
          minCharsPerSource: 6_000,
          maxCharsPerSource: 5_999,
          sourceQualityRules: [
            { level: 'general', reason: 'none' },
            { level: 'general', reason: 'slow', path: '(a+)+' },
          ],
        },
      },
      [
        /^asOf is "soon"; allowed: an ISO 8601 time/,
        /^synthesis\.minCharsPerSource is 6000; allowed: at most what synthesis\.maxCharsPerSource is \(5999\)$/,
        /^synthesis\.sourceQualityRules\[0\] has none of/,
        /^synthesis\.sourceQualityRules\[1\]\.path is no regular expression, or one with/,
      ],
    ],
  ])('names every problem of %s', (_what, given, expected) => {
    const read = parseReportInput(given, RUN);
    if (!('problems' in read)) throw new Error('it must have problems');
    expect([...read.problems].sort()).toEqual(
      [...expected]
        .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
        .map((pattern) => expect.stringMatching(pattern) as string),
    );
  });

  function sortKey(pattern: RegExp): string {
    return pattern.source.replace(/^\^/, '').replaceAll('\\', '');
  }
});

describe('problems of an argument', () => {
  const SCHEMAS = join(__dirname, '../../src/contracts/schemas');

  /** All that are published: what may be given, and what comes out. */
  const PUBLISHED = readdirSync(SCHEMAS).map(
    (file) => [file, JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as JsonSchema] as const,
  );

  it.each(PUBLISHED)('fields by the thousand make a hundred problems at most: %s', (_file, schema) => {
    const field = (_: unknown, at: number): [string, number] => [`${'n'.repeat(500)}${at}`, at];
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, field));
    const problems = argumentProblems([schema], [fields]);
    expect(problems.length).toBeLessThanOrEqual(102);
    const told = limitProblems(problems);
    expect(told.join('; ').length).toBeLessThan(20_000);
    if (told.length < problems.length)
      expect(told.at(-1)).toBe(`and ${problems.length - (told.length - 1)} more`);
  });

  it('a valid argument has no problem, and a missing one is reported', () => {
    const plain: JsonSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    expect(argumentProblems([plain], [{ id: 'a' }])).toEqual([]);
    expect(argumentProblems([], [])).toEqual([]);
    expect(argumentProblems([], [null])).toEqual(['one argument given; allowed: no argument']);
    expect(argumentProblems([plain], [])).toEqual(['the input is missing; allowed: an object with id']);
    const unreadable = argumentProblems([plain], [new UnreadablePayload('no JSON', false)]);
    expect(unreadable).toEqual(['it cannot be read (no JSON)']);
  });
});

describe('payload converter', () => {
  const WORKFLOW: SerializationContext = { type: 'workflow', namespace: 'default', workflowId: 'a' };

  const json = (text: string): Payload => ({
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(text),
  });

  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it('reads whatever bytes come to a workflow without throwing', () => {
    const metadata = fc.option(
      fc.dictionary(fc.constantFrom('encoding', 'encryption-key-id', 'x'), fc.uint8Array({ maxLength: 20 })),
      { nil: null },
    );
    const encoding = fc.constantFrom(
      'json/plain',
      'binary/null',
      'binary/plain',
      'binary/protobuf',
      'binary/encrypted',
    );
    const named = fc.record({
      metadata: encoding.map((name) => ({ encoding: Buffer.from(name) })),
      data: fc.uint8Array(),
    });
    const any = fc.oneof(named, fc.record({ metadata, data: fc.option(fc.uint8Array(), { nil: null }) }));
    fc.assert(
      fc.property(any, (payload) => {
        payloadConverter.fromPayload(payload, WORKFLOW);
      }),
      { seed: 20_260_104, numRuns: 1_000 },
    );
  });

  it('reads what is sent in order as it was meant', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const sent = defaultPayloadConverter.toPayload(value);
        expect(payloadConverter.fromPayload(sent, WORKFLOW)).toEqual(
          defaultPayloadConverter.fromPayload(sent),
        );
      }),
      { seed: 20_260_105 },
    );
  });

  it.each([65, 10_000, 500_000])('refuses what is nested %d levels deep', (levels) => {
    const read = payloadConverter.fromPayload<unknown>(json(nested(levels)), WORKFLOW);
    expect(read).toBeInstanceOf(UnreadablePayload);
    expect(read).toMatchObject({ reason: 'it is nested more than 64 levels deep', isEncrypted: false });
    expect(payloadConverter.fromPayload(json(nested(64)), WORKFLOW)).not.toBeInstanceOf(UnreadablePayload);
  });

  it('says no more of an encoding than a line', () => {
    const metadata = { encoding: Buffer.from('e'.repeat(100_000)) };
    expect(payloadConverter.fromPayload<UnreadablePayload>({ metadata }, WORKFLOW).reason).toMatch(
      /^Unknown encoding: e{50,190}$/,
    );
  });

  it('throws at what an activity returned, so that it is tried again', () => {
    const context: SerializationContext = {
      type: 'activity',
      namespace: 'default',
      activityId: '1',
      isLocal: false,
    };
    expect(() => payloadConverter.fromPayload(json('no JSON'), context)).toThrow(/JSON/);
  });
});
