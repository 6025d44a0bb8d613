import { keepValues } from '../../../src/activities/shared/kept-values';

const length = (text: string | null): number | null => text?.length ?? null;

function put(kept: ReturnType<typeof keepValues<string | null>>, name: string, text: string | null): void {
  kept.put(name, Promise.resolve(text), length);
}

async function settled(): Promise<void> {
  await new Promise(setImmediate);
}

describe('kept values', () => {
  it('are what was put under a name, also while it is being made', async () => {
    const kept = keepValues<string | null>(100);
    let finish = (_text: string): void => undefined;
    kept.put('a', new Promise<string>((resolve) => (finish = resolve)), length);
    const early = kept.get('a');
    finish('made');
    expect(await early).toBe('made');
    expect(await kept.get('a')).toBe('made');
    expect(kept.get('b')).toBeUndefined();
  });

  it('go where they do not fit, the one that was not used for the longest time first', async () => {
    const kept = keepValues<string | null>(10);
    put(kept, 'a', '4444');
    put(kept, 'b', '4444');
    await settled();
    void kept.get('a');
    put(kept, 'c', '4444');
    await settled();
    expect(kept.get('b')).toBeUndefined();
    expect([await kept.get('a'), await kept.get('c')]).toEqual(['4444', '4444']);
  });

  it('are the last one alone where that fills the room by itself, until there is another', async () => {
    const kept = keepValues<string | null>(10);
    put(kept, 'a', '1');
    put(kept, 'large', 'x'.repeat(50));
    await settled();
    expect(kept.get('a')).toBeUndefined();
    expect((await kept.get('large'))?.length).toBe(50);
    put(kept, 'b', '1');
    await settled();
    expect(kept.get('large')).toBeUndefined();
    expect(await kept.get('b')).toBe('1');
  });

  it('are not what failed, nor what has no size', async () => {
    const kept = keepValues<string | null>(10);
    const failing = Promise.reject(new Error('the disk is gone'));
    kept.put('a', failing, length);
    put(kept, 'b', null);
    await expect(kept.get('a')).rejects.toThrow('the disk is gone');
    await settled();
    expect(kept.get('a')).toBeUndefined();
    expect(kept.get('b')).toBeUndefined();
  });
});
