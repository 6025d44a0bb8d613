import fc from 'fast-check';
import type { Payload } from '@temporalio/common';
import answerStart from '../../../src/contracts/schemas/answer-start.json';
import briefStart from '../../../src/contracts/schemas/brief-start.json';
import contentStart from '../../../src/contracts/schemas/content-start.json';
import reportStart from '../../../src/contracts/schemas/report-start.json';
import scheduledStart from '../../../src/contracts/schemas/scheduled-start.json';
import webhookStart from '../../../src/contracts/schemas/webhook-start.json';
import { meant, type JsonSchema } from '../../../src/core/shapes/json-schema';
import { isRecord } from '../../../src/core/values/is-record';
import { sent } from './rubbish';

/** A start with its arguments. */
export interface Start {
  name: string;
  args: readonly Payload[];
}

interface Known {
  schema: JsonSchema;
  /** It fits; nothing that it names is in the store, so that what begins with it ends at once. */
  valid: Record<string, unknown>;
}

const NOWHERE = 'f'.repeat(64);
const QUESTION = 'Which habits help?';

/** What each workflow is started with. A workflow that is not here fails the test. */
export const STARTS: Record<string, Known> = {
  report: {
    schema: reportStart,
    valid: { question: QUESTION, manifestRef: NOWHERE, sourceCount: 4 },
  },
  answer: {
    schema: answerStart,
    valid: { question: QUESTION, manifestRef: NOWHERE, sourceCount: 4 },
  },
  brief: { schema: briefStart, valid: { question: QUESTION, subtopicsRef: NOWHERE } },
  content: { schema: contentStart, valid: { ref: NOWHERE } },
  scheduled: {
    schema: scheduledStart,
    valid: {
      schedule: 'nightly',
      keptAs: 'schedule:nightly:0123abcd',
      question: QUESTION,
      engine: 'extractive',
      run: { kind: 'report', input: { question: QUESTION } },
      sources: { finder: 'files', settings: { paths: ['/no/such/folder'] }, skipInvalid: false },
      subtopics: null,
    },
  },
  // A worker without a secret tells nobody.
  webhook: {
    schema: webhookStart,
    valid: {
      url: 'https://example.org/hook',
      runId: 'some',
      kind: 'report',
      status: 'completed',
      messageId: 'msg_some',
    },
  },
};

const SEED = 20_260_101;

/** What takes the place of a field. */
const IN_A_FIELD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  'x',
  'y'.repeat(5_000),
  '\ud800',
  [],
  [[null]],
  {},
  { '': '' },
  { constructor: { prototype: 1 } },
  Array.from({ length: 2_000 }, () => 'z'),
  Number.MAX_SAFE_INTEGER,
];

/** Every field of what is known in turn, with rubbish in its place. */
export function fieldStarts({ schema, valid }: Known): Start[] {
  return pathsOf(schema).map((path, index) => {
    const rubbish = IN_A_FIELD[index % IN_A_FIELD.length];
    return {
      name: `${path.join('.')} is ${JSON.stringify(rubbish).slice(0, 40)}`,
      args: [sent(withValue(valid, path, rubbish))],
    };
  });
}

/** So many starts, the same every time: any values, and valid starts with any values in some of their fields. */
export function fuzzedStarts({ schema, valid }: Known, count: number): Start[] {
  const paths = pathsOf(schema);
  const changed = fc
    .array(fc.tuple(fc.constantFrom(...paths), fc.jsonValue()), { minLength: 1, maxLength: 3 })
    .map((changes) => [changes.reduce((given, [path, value]) => withValue(given, path, value), valid)]);
  const any = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 });
  const second = fc.jsonValue().map((value) => [valid, value]);
  return fc
    .sample(fc.oneof(changed, changed, any, second), { numRuns: count, seed: SEED })
    .map((given, index) => ({
      name: `fuzzed ${index}: ${JSON.stringify(given).slice(0, 200)}`,
      args: given.map(sent),
    }));
}

/** The names of all fields that a schema has, with those of the fields in them. */
function pathsOf(schema: JsonSchema): string[][] {
  return meant(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, property]) => [
      [name],
      ...pathsOf(property).map((path) => [name, ...path]),
    ]),
  );
}

function withValue(
  given: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [name = '', ...below] = path;
  const there = given[name];
  const next = below.length === 0 ? value : withValue(isRecord(there) ? there : {}, below, value);
  return { ...given, [name]: next };
}
