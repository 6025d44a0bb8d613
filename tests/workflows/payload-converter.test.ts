import fc from 'fast-check';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { payloadConverter } from '../../src/workflows/payload-converter';
import { Unreadable } from '../../src/core/values/unreadable';

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
      expect(payloadConverter.fromPayload(sent, WORKFLOW)).toEqual(defaultPayloadConverter.fromPayload(sent));
    }),
    { seed: 20_260_105 },
  );
});

it.each([65, 10_000, 500_000])('refuses what is nested %d levels deep', (levels) => {
  const read = payloadConverter.fromPayload<unknown>(json(nested(levels)), WORKFLOW);
  expect(read).toBeInstanceOf(Unreadable);
  expect(read).toMatchObject({ reason: 'it is nested more than 64 levels deep', isEncrypted: false });
  expect(payloadConverter.fromPayload(json(nested(64)), WORKFLOW)).not.toBeInstanceOf(Unreadable);
});

it('says no more of an encoding than a line', () => {
  const metadata = { encoding: Buffer.from('e'.repeat(100_000)) };
  expect(payloadConverter.fromPayload<Unreadable>({ metadata }, WORKFLOW).reason).toMatch(
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
