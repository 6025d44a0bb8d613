import { createServedCalls, type ServedCalls } from '../../../src/engines/model/paid/served-calls';

describe('how many calls a server answers at once', () => {
  let now = 0;
  let served: ServedCalls;
  beforeEach(() => {
    now = 0;
    served = createServedCalls(8, () => now);
  });

  type Call = ReturnType<ServedCalls['start']>;
  const start = (count: number): Call[] => Array.from({ length: count }, () => served.start());
  const at = (ms: number, work: () => void): void => {
    now = ms;
    work();
  };
  /** The server answers the calls one by one, each for so long. */
  const answerSingly = (calls: readonly Call[], ms: number): void => {
    for (const call of calls) at(now + ms, () => call.end('answered'));
  };

  test('is one where answers come one after another to calls that came together', () => {
    const calls = start(4);
    answerSingly(calls.slice(0, 2), 2_000);
    expect(served.limit).toBe(8);
    answerSingly(calls.slice(2, 3), 2_000);
    expect(served.limit).toBe(1);
  });

  test('is one too where answers are streamed', () => {
    for (const call of start(4)) {
      at(now + 3_000, () => call.turn.begun());
      at(now + 5_000, () => call.end('answered'));
    }
    expect(served.limit).toBe(1);
  });

  test('is more for good where two answers are streamed at once', () => {
    const [first, second] = start(2);
    at(3_000, () => first?.turn.begun());
    at(4_000, () => second?.turn.begun());
    at(5_000, () => first?.end('answered'));
    at(9_000, () => second?.end('answered'));
    answerSingly(start(6), 6_000);
    expect(served.limit).toBe(8);
  });

  test('is not known of answers that come shortly after each other, quick ones, and of single calls', () => {
    const calls = start(6);
    calls.forEach((call, index) => at(4_000 + 700 * index, () => call.end('answered')));
    answerSingly(start(6), 100);
    for (let count = 0; count < 6; count += 1) answerSingly(start(1), 4_000);
    expect(served.limit).toBe(8);
  });

  test('is one where a gateway gives up on a call while the server is at another', () => {
    const [first, second] = start(2);
    at(50_000, () => first?.end('answered'));
    at(60_000, () => second?.end('gateway-timeout'));
    expect(served.limit).toBe(1);
  });

  describe('of a server that seemed to answer one at a time', () => {
    beforeEach(() => {
      answerSingly(start(3), 2_000);
      for (let count = 0; count < 10; count += 1) answerSingly(start(1), 2_000);
    });

    test('two are tried after some single calls, and one remains where it does', () => {
      expect(served.limit).toBe(2);
      answerSingly(start(2), 2_000);
      expect(served.limit).toBe(1);
    });

    test('all are let in again where two answers come together', () => {
      const both = start(2);
      at(now + 2_000, () => both[0]?.end('answered'));
      at(now + 100, () => both[1]?.end('answered'));
      expect(served.limit).toBe(8);
    });
  });

  test('a call loses no time to those before it in the queue of the server', () => {
    const [first, second] = start(2);
    at(3_000, () => first?.turn.begun());
    at(9_000, () => expect(second?.turn.since).toBe(9_000));
    at(10_000, () => first?.end('answered'));
    at(12_000, () => expect(second?.turn.since).toBe(10_000));
  });

  test('where answers come at once, each call has its own time', () => {
    const [first, second, third] = start(3);
    at(3_000, () => first?.turn.begun());
    at(4_000, () => second?.turn.begun());
    at(10_000, () => first?.end('answered'));
    expect(third?.turn.since).toBe(0);
  });
});
