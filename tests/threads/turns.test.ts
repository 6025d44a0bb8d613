import { createTurns } from '../../src/threads/turns';

const never = new AbortController().signal;

/** Work that goes on until it is told to end. */
function openWork(
  name: string,
  begun: string[],
): { work: () => Promise<string>; end: (error?: Error) => void } {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return {
    work: async () => {
      begun.push(name);
      await ended;
      return name;
    },
    end: (error) => end(error),
  };
}

describe('turns', () => {
  it('let so many go on at once, and the others follow in their order', async () => {
    const begun: string[] = [];
    const takeTurn = createTurns(2);
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => openWork(name, begun));
    if (!one || !two || !three || !four) throw new Error('four are needed');
    const results = [one, two, three, four].map(({ work }) => takeTurn(work, never));
    await Promise.resolve();
    expect(begun).toEqual(['one', 'two']);
    two.end();
    expect(await results[1]).toBe('two');
    await new Promise(setImmediate);
    expect(begun).toEqual(['one', 'two', 'three']);
    for (const { end } of [one, three, four]) end();
    expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'four']);
    expect(begun).toEqual(['one', 'two', 'three', 'four']);
  });

  it('pass on the turn of work that failed', async () => {
    const begun: string[] = [];
    const takeTurn = createTurns(1);
    const failing = openWork('failing', begun);
    const failed = takeTurn(failing.work, never);
    const next = takeTurn(() => Promise.resolve('next'), never);
    failing.end(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('are given up by who is aborted while waiting, and nobody loses a turn by it', async () => {
    const begun: string[] = [];
    const takeTurn = createTurns(1);
    const going = openWork('going', begun);
    const first = takeTurn(going.work, never);
    const controller = new AbortController();
    const aborted = takeTurn(openWork('aborted', begun).work, controller.signal);
    const last = takeTurn(() => Promise.resolve('last'), never);
    controller.abort(new Error('cancelled'));
    await expect(aborted).rejects.toThrow('cancelled');
    await expect(takeTurn(() => Promise.resolve('late'), controller.signal)).rejects.toThrow('cancelled');
    going.end();
    expect(await first).toBe('going');
    expect(await last).toBe('last');
    expect(begun).toEqual(['going']);
    expect(await takeTurn(() => Promise.resolve('after'), never)).toBe('after');
  });
});
