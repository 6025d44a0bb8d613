import { ModelFailure, type ModelFailureKind } from '../../../src/engines/model/port/model-failure';
import { createSchemaLadder, type SchemaLadder } from '../../../src/engines/model/schema-ladder';
import { answersJson, refuses } from '../../model-server/behaviours';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { clientOf, NEVER, SCHEMA_REQUEST, withServer } from '../openai/asking';

const failed = (kind: ModelFailureKind, status: number | null = null): ModelFailure =>
  new ModelFailure(kind, 'no', { status });

const MODEL = 'small-1';

describe('The ladder', () => {
  it('begins at the top, for each model by itself', () => {
    const ladder = createSchemaLadder();
    ladder.rejected(MODEL, 'json-schema');
    expect(ladder.rungFor(MODEL)).toBe('json-object');
    expect(ladder.rungFor('other')).toBe('json-schema');
    ladder.rejected(MODEL, 'json-object');
    expect(ladder.rungFor(MODEL)).toBe('prompt-only');
    ladder.rejected(MODEL, 'prompt-only');
    expect(ladder.rungFor(MODEL)).toBe('prompt-only');
    ladder.forget(MODEL);
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
  });

  it('goes down once for calls that are rejected at the same time', () => {
    const ladder = createSchemaLadder();
    for (let call = 0; call < 5; call += 1) ladder.rejected(MODEL, 'json-schema');
    expect(ladder.rungFor(MODEL)).toBe('json-object');
  });

  it.each<[ModelFailureKind, number | null]>([
    ['timeout', 504],
    ['unreachable', null],
    ['rate-limited', 429],
    ['overloaded', 503],
    ['server-error', 502],
    ['wrong-key', 401],
    ['context-length', 400],
    ['content-filter', 400],
    ['bad-request', 400],
    ['malformed-response', 200],
  ])('stays where it is on %s', (kind, status) => {
    const ladder = createSchemaLadder();
    for (let call = 0; call < 9; call += 1) {
      ladder.failed(MODEL, ladder.rungFor(MODEL), failed(kind, status));
      expect(ladder.rungFor(MODEL)).toBe('json-schema');
    }
  });

  it('goes down where a schema is ignored twice in a row', () => {
    const ladder = createSchemaLadder();
    ladder.ignored(MODEL, 'json-schema');
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
    ladder.worked(MODEL, 'json-schema');
    ladder.ignored(MODEL, 'json-schema');
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
    ladder.ignored(MODEL, 'json-schema');
    expect(ladder.rungFor(MODEL)).toBe('json-object');
    ladder.ignored(MODEL, 'json-schema');
    ladder.ignored(MODEL, 'json-object');
    expect(ladder.rungFor(MODEL)).toBe('json-object');
  });

  it.each([
    ['comes back up for what is refused without any schema', false, 'json-schema'],
    ['stays at the bottom for what is refused where it has worked before', true, 'prompt-only'],
  ])('%s', (_what, hasWorked, rung) => {
    const ladder = createSchemaLadder();
    ladder.rejected(MODEL, 'json-schema');
    ladder.rejected(MODEL, 'json-object');
    if (hasWorked) ladder.worked(MODEL, 'prompt-only');
    ladder.failed(MODEL, 'prompt-only', failed('bad-request', 400));
    expect(ladder.rungFor(MODEL)).toBe(rung);
  });

  it('takes a 500 that only a schema causes for a rejection', () => {
    const { ladder, rungs } = afterCalls(8, (rung) => rung === 'json-schema');
    const below = Array<string>(5).fill('json-object');
    expect(rungs).toEqual(['json-schema', 'json-object', 'json-schema', ...below]);
    expect(ladder.rungFor(MODEL)).toBe('json-object');
  });

  it('finds the bottom the same way', () => {
    const { ladder } = afterCalls(12, (rung) => rung !== 'prompt-only');
    expect(ladder.rungFor(MODEL)).toBe('prompt-only');
  });

  it('asks above again where only what was tried instead is rejected', () => {
    const ladder = createSchemaLadder();
    ladder.failed(MODEL, 'json-schema', failed('server-error', 500));
    ladder.rejected(MODEL, 'json-object');
    expect(ladder.rungFor(MODEL)).toBe('prompt-only');
    ladder.worked(MODEL, 'prompt-only');
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
  });

  it('does not take a server that is down for a rejection', () => {
    const { ladder } = afterCalls(20, (_rung, call) => call < 13);
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
  });

  it('does not take a server that stumbles now and then for a rejection', () => {
    const { rungs, ladder } = afterCalls(40, (_rung, call) => call % 5 === 0);
    expect(ladder.rungFor(MODEL)).toBe('json-schema');
    expect(rungs.filter((rung) => rung !== 'json-schema').length).toBeLessThan(10);
  });
});

/** Asks over and over, where some calls end in a 500 without an explanation. */
function afterCalls(
  calls: number,
  fails: (rung: string, call: number) => boolean,
): { ladder: SchemaLadder; rungs: string[] } {
  const ladder = createSchemaLadder();
  const rungs: string[] = [];
  for (let call = 0; call < calls; call += 1) {
    const rung = ladder.rungFor(MODEL);
    rungs.push(rung);
    if (fails(rung, call)) ladder.failed(MODEL, rung, failed('server-error', 500));
    else ladder.worked(MODEL, rung);
  }
  return { ladder, rungs };
}

describe('The ladder at the wire', () => {
  const formatOf = (request: RecordedRequest): unknown => {
    const format = request.body?.['response_format'];
    return typeof format === 'object' && format !== null && 'type' in format ? format.type : null;
  };

  it.each<[string, Behaviour]>([
    ['400', refuses(400, { message: 'response_format json_schema is not supported' })],
    ['422', refuses(422, { message: 'unknown response_format' })],
    ['500 with a word of it', refuses(500, { message: 'failed to parse grammar' })],
    ['500 without a word', refuses(500, { message: 'Internal Server Error' })],
    ['400 without a word', refuses(400, { message: '' })],
  ])('comes to the rung that works where a schema is answered with %s', async (_name, refusal) => {
    const script = (request: RecordedRequest): Behaviour =>
      formatOf(request) === 'json_schema' ? refusal : answersJson({ title: 'Crabs' });
    await withServer(script, async (server) => {
      const client = clientOf(server);
      const ladder = createSchemaLadder();
      let answered = 0;
      while (answered < 3 && server.asked.length < 10) {
        const rung = ladder.rungFor(MODEL);
        try {
          await client.ask(SCHEMA_REQUEST, rung, { signal: NEVER });
          ladder.worked(MODEL, rung);
          answered += 1;
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          ladder.failed(MODEL, rung, error);
        }
      }
      expect(answered).toBe(3);
      expect(ladder.rungFor(MODEL)).toBe('json-object');
    });
  });
});
