import { useProject } from './project-under-test';

const { colligate } = useProject();

test('the log has the store at each pass and the citations at the end, with the run, for whoever asks for details', async () => {
  const line = 'report "Does exercise improve sleep?" --sources notes --id detailed';
  const { code, stderr } = await colligate(line, { env: { COLLIGATE_LOG_LEVEL: 'debug' } });
  expect(code).toBe(0);
  const logged = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ runId }) => runId === 'detailed');
  const stores = logged.filter(({ msg }) => msg === 'Content store');
  expect(stores.map(({ phase }) => phase).join(' ')).toBe('gather overview deep-dive cross-reference report');
  for (const { artifacts, totalChars, found } of stores)
    for (const amount of [artifacts, totalChars, found]) expect(amount).toBeGreaterThan(0);
  expect(logged.filter(({ msg }) => msg === 'Citations')).toEqual([
    expect.objectContaining({ citations: expect.any(Number) as number }),
  ]);
});
