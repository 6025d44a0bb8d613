import { useConfigFolder } from './config-folder';

const { load, problemsOf, toldProblems } = useConfigFolder();
const ON_REDIS = { COLLIGATE_STORES: 'redis', REDIS_URL: 'redis://user:w0rd@host' };
const DAY_MS = 86_400_000;

test('a store on a server wants its address, whichever port it is for', () => {
  expect(toldProblems({ COLLIGATE_STORES: 'redis', COLLIGATE_CONTENT_STORE: 'postgres' })).toEqual([
    'COLLIGATE_STORES (environment) "redis": lmdb, or redis together with REDIS_URL',
    'COLLIGATE_CONTENT_STORE (environment) "postgres": lmdb, or postgres together with COLLIGATE_POSTGRES_URL',
  ]);
  expect(load(ON_REDIS)).toMatchObject({ stores: 'redis' });
});

test('runs are not kept longer than Redis keeps what they have', () => {
  const keeping = {
    COLLIGATE_RETENTION_MS: String(30 * DAY_MS),
    COLLIGATE_REDIS_TTL_MS: String(30 * DAY_MS),
  };
  expect(toldProblems({ ...ON_REDIS, ...keeping })).toEqual([
    expect.stringMatching(
      /^COLLIGATE_RETENTION_MS \(environment\) 2592000000: less than 2592000000, .* raise COLLIGATE_REDIS_TTL_MS above it$/,
    ),
  ]);
  const events = { COLLIGATE_EVENT_STORE: 'redis', REDIS_URL: 'redis://host' };
  expect(problemsOf({ ...events, ...keeping })).toHaveLength(1);
  expect(load({ ...ON_REDIS, ...keeping, COLLIGATE_REDIS_TTL_MS: String(31 * DAY_MS) })).toBeDefined();
  expect(load(keeping)).toMatchObject({ retention: { keepMs: 30 * DAY_MS } });
});
