import type { Stores } from '../../src/stores/stores';
import { useStores, type PrepareStores } from './stores-under-test';

const TWO = { slots: 2, ttlMs: 1_000 };

/** What all shared limits do, whatever they stand on. */
export function sharedLimitsContract(name: string, prepare: PrepareStores): void {
  describe(`shared limits on ${name}`, () => {
    let other: Stores;
    let clock: number;
    const now = (): number => clock;
    beforeEach(() => (clock = Date.UTC(2024, 0, 2, 3, 4, 5)));
    const { fixture, stores } = useStores(prepare, { now });
    beforeEach(async () => (other = await fixture.connect({ now })));

    it('gives turns out evenly over all connections, each of them once', async () => {
      const waits = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 ? other : stores).limits.takeTurn('endpoint', 8)),
      );
      expect(waits.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at * 125));
    });

    it('gives a turn at once where the last one is long past, and does not save up those that nobody took', async () => {
      expect(await stores.limits.takeTurn('endpoint', 2)).toBe(0);
      clock += 400;
      expect(await other.limits.takeTurn('endpoint', 2)).toBe(100);
      clock += 60_000;
      expect(await stores.limits.takeTurn('endpoint', 2)).toBe(0);
      expect(await other.limits.takeTurn('endpoint', 2)).toBe(500);
    });

    it('spaces turns that are seldom or have no whole number of milliseconds', async () => {
      await stores.limits.takeTurn('seldom', 0.01);
      expect(await other.limits.takeTurn('seldom', 0.01)).toBe(100_000);
      for (let at = 0; at < 3; at += 1) await stores.limits.takeTurn('thirds', 3);
      expect(await other.limits.takeTurn('thirds', 3)).toBeCloseTo(1_000, 1);
    });

    it('keeps names apart, whatever they are made of', async () => {
      const names = ['https://a.example/v1', 'https://a.example/v1/', 'é😀', 'x'.repeat(5_000)];
      for (const endpoint of names) {
        expect(await stores.limits.takeTurn(endpoint, 1)).toBe(0);
        expect(await stores.limits.acquireSlot(endpoint, 'one', { slots: 1, ttlMs: 1_000 })).toBe(true);
      }
      expect(await other.limits.takeTurn(names[0] ?? '', 1)).toBe(1_000);
    });

    it('gives as many slots as there are, to whoever of many asks', async () => {
      const asked = Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? other : stores).limits.acquireSlot('endpoint', `owner ${at}`, { slots: 7, ttlMs: 1_000 }),
      );
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(7);
    });

    it('gives a slot that was given back to the next, and only its owner gives it back', async () => {
      await stores.limits.acquireSlot('endpoint', 'one', TWO);
      await other.limits.acquireSlot('endpoint', 'two', TWO);
      expect(await other.limits.acquireSlot('endpoint', 'three', TWO)).toBe(false);
      await other.limits.releaseSlot('endpoint', 'three');
      expect(await other.limits.acquireSlot('endpoint', 'three', TWO)).toBe(false);
      await other.limits.releaseSlot('endpoint', 'one');
      expect(await other.limits.acquireSlot('endpoint', 'three', TWO)).toBe(true);
    });

    it('takes back the slot of an owner that died, and leaves one that is renewed', async () => {
      await stores.limits.acquireSlot('endpoint', 'died', TWO);
      await stores.limits.acquireSlot('endpoint', 'lives', TWO);
      clock += 900;
      expect(await stores.limits.acquireSlot('endpoint', 'lives', TWO)).toBe(true);
      clock += 99;
      expect(await other.limits.acquireSlot('endpoint', 'next', TWO)).toBe(false);
      clock += 1;
      expect(await other.limits.acquireSlot('endpoint', 'next', TWO)).toBe(true);
      expect(await other.limits.acquireSlot('endpoint', 'third', TWO)).toBe(false);
    });

    it('gives an owner one slot, however often it asks', async () => {
      for (let at = 0; at < 5; at += 1)
        expect(await stores.limits.acquireSlot('endpoint', 'one', TWO)).toBe(true);
      expect(await other.limits.acquireSlot('endpoint', 'two', TWO)).toBe(true);
      await stores.limits.releaseSlot('endpoint', 'one');
      expect(await other.limits.acquireSlot('endpoint', 'three', TWO)).toBe(true);
    });
  });
}
