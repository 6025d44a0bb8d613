import fc from 'fast-check';
import { SOURCES } from '../support/report-script';
import { type Asked, type HttpBench, jsonOf, openHttpBench } from '../support/http-bench';

/** Every route is asked that the document has, so that one that comes later is looked at as well. */
interface Operation {
  method: string;
  path: string;
  body: Schema | null;
}

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

/** Stands in what Ann asks, and so in all that is hers. */
const SECRET = 'zebrafish';
const KEY = 'the-key-of-ann';
let face: HttpBench;
let document: Document;
let operations: Operation[];
let [ann, bob] = ['', ''];
/** What Bob may try in the place of each name of a path: what is Ann's, and what nobody has. */
let names: Record<string, { hers: string; nobodys: string }>;

async function post(
  token: string,
  path: string,
  body: unknown,
  headers = {},
): Promise<Record<string, string>> {
  const answer = await face.ask(path, { method: 'POST', token, body, headers });
  const told = await jsonOf<Record<string, string>>(answer);
  expect([path, answer.status, told]).toEqual([path, 201, told]);
  return told;
}

beforeAll(async () => {
  face = await openHttpBench();
  await face.bench.startWorker();
  ann = await face.tokenOf('ann', 'run');
  bob = await face.tokenOf('bob', 'run');
  const asked = { kind: 'report', question: `Do ${SECRET} sleep?`, sources: SOURCES };
  const { runId = '' } = await post(ann, '/v1/runs', asked, { 'idempotency-key': KEY });
  await (await face.ask(`/v1/runs/${runId}/events`, { token: ann })).text();
  const result = await jsonOf<{ claims: { id: string }[] }>(
    face.ask(`/v1/runs/${runId}/result`, { token: ann }),
  );
  // What Bob starts is to wait: nothing of it is worth waiting for.
  await face.bench.rest();
  const { name: schedule = '' } = await post(ann, '/v1/schedules', {
    name: 'nightly',
    times: { everyMs: 3_600_000 },
    run: asked,
  });
  const root = await face.tokenOf('root', 'admin');
  const { tokens } = await jsonOf<{ tokens: { id: string; owner: string }[] }>(
    face.ask('/v1/tokens', { token: root }),
  );
  names = {
    runId: { hers: runId, nobodys: 'report-nobodys' },
    beforeId: { hers: runId, nobodys: 'report-nobodys' },
    claimId: { hers: result.claims[0]?.id ?? '', nobodys: result.claims[0]?.id ?? '' },
    n: { hers: '1', nobodys: '1' },
    name: { hers: schedule, nobodys: 'nobodys-0123abcd' },
    id: { hers: tokens.find(({ owner }) => owner === 'ann')?.id ?? '', nobodys: 'nobodys' },
  };
  document = await jsonOf<Document>(face.ask('/openapi.json'));
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      body: requestBody?.content['application/json']?.schema ?? null,
    })),
  );
});
afterAll(() => face.close());

/** Values that a schema describes, with names of Ann's where texts may stand. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined)
    return valuesOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valuesOf(value)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { minLength: 1, maxLength: 3 });
    case 'string':
      return fc.oneof(
        fc.constantFrom(...Object.values(names).map(({ hers }) => hers), 'monday', 'https://example.org/a'),
        fc.string(),
      );
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.double());
    case 'boolean':
      return fc.boolean();
    default:
      return fc.jsonValue();
  }
}

/** What Bob may send to an operation: what its document says, or anything. */
function requestsTo({ method, body }: Operation): fc.Arbitrary<Asked> {
  const asked = { method, token: bob, headers: { 'idempotency-key': KEY } };
  if (method === 'GET' || method === 'DELETE') return fc.constant({ method, token: bob });
  if (body === null) return fc.constant(asked);
  const bodies = fc.oneof({ weight: 4, arbitrary: valuesOf(body) }, { weight: 1, arbitrary: fc.jsonValue() });
  return bodies.map((value) => ({ ...asked, body: JSON.stringify(value) }));
}

const filled = (path: string, whose: 'hers' | 'nobodys'): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(names[name]?.[whose] ?? 'x'));

async function told(path: string, asked: Asked): Promise<{ status: number; text: string }> {
  const answer = await face.ask(path, asked);
  const text = await answer.text();
  const { status } = answer;
  expect([asked.method, path, asked.body, status < 500]).toEqual([asked.method, path, asked.body, true]);
  if (status >= 400)
    expect([path, JSON.parse(text)]).toEqual([
      path,
      expect.objectContaining({ status, detail: expect.stringMatching(/\S/) }),
    ]);
  return { status, text };
}

const everythingOfHers = async (): Promise<unknown> =>
  Promise.all(
    [
      `/v1/runs/${names['runId']?.hers}`,
      `/v1/schedules/${names['name']?.hers}`,
      '/v1/runs',
      '/v1/schedules',
    ].map(async (path) => (await face.ask(path, { token: ann })).json()),
  );

test('through no route does anybody see, steer, list or delete what is another’s; nor does what they send break one', async () => {
  const before = await everythingOfHers();
  expect(operations.length).toBeGreaterThan(25);
  for (const operation of operations) {
    const { path, method } = operation;
    const isNamed = path.includes('{');
    const mayNotVary = operation.body === null ? 1 : 12;
    await fc.assert(
      fc.asyncProperty(requestsTo(operation), async (asked) => {
        const hers = await told(filled(path, 'hers'), asked);
        expect([method, path, hers.text.includes(SECRET)]).toEqual([method, path, false]);
        if (!isNamed) return;
        expect([method, path, hers.status < 400]).toEqual([method, path, false]);
        const nobodys = await told(filled(path, 'nobodys'), asked);
        expect([method, path, asNobodys(hers.text)]).toEqual([method, path, nobodys.text]);
      }),
      { numRuns: mayNotVary },
    );
  }
  expect(await everythingOfHers()).toEqual(before);
  expect(face.unforeseen).toEqual([]);
});

function asNobodys(text: string): string {
  return Object.values(names).reduce((sofar, { hers, nobodys }) => sofar.replaceAll(hers, nobodys), text);
}
