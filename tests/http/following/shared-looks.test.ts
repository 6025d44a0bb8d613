import { sharedLooks } from '../../../src/http/following/shared-looks';

/** Looks that end when the test says so, each of which sees its own number. */
function slowLooks() {
  const looks: { id: string; end: (error?: Error) => void }[] = [];
  const look = sharedLooks(
    (id: string) =>
      new Promise<number>((resolve, reject) => {
        const number = looks.length + 1;
        looks.push({ id, end: (error) => (error === undefined ? resolve(number) : reject(error)) });
      }),
  );
  return { looks, look };
}

test('whoever asks while a look is under way has the next one, which they share and which begins behind it', async () => {
  const { looks, look } = slowLooks();
  const first = look('a');
  const behind = [look('a'), look('a')];
  expect(looks).toHaveLength(1);
  looks[0]?.end();
  expect(await first).toBe(1);
  expect(looks).toHaveLength(2);
  const last = look('a');
  looks[1]?.end();
  expect(await Promise.all(behind)).toEqual([2, 2]);
  looks[2]?.end();
  expect(await last).toBe(3);
});

test('looks at one thing wait for none at another', async () => {
  const { looks, look } = slowLooks();
  void look('a');
  const other = look('b');
  expect(looks.map(({ id }) => id)).toEqual(['a', 'b']);
  looks[1]?.end();
  expect(await other).toBe(2);
});

test('a look that fails is told to those who have it, and to nobody behind them', async () => {
  const { looks, look } = slowLooks();
  const first = look('a');
  const behind = look('a');
  looks[0]?.end(new Error('away'));
  await expect(first).rejects.toThrow('away');
  looks[1]?.end();
  expect(await behind).toBe(2);
  const later = look('a');
  looks[2]?.end();
  expect(await later).toBe(3);
});
