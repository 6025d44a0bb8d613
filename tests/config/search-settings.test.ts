import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { indexSettingsOf, KEYED_INDEXES } from '../../src/config/search-settings';
import { environmentNames, secretPaths } from '../../src/config/setting-names';
import { SEARCH_INDEXES, SearchIndexName } from '../../src/contracts/run/search-indexes';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, toldProblems } = useConfigFolder();

test.each(SearchIndexName.options)(
  '%s is asked at its own address, with the key that its variable has',
  (name) => {
    const { address, keyVariable } = SEARCH_INDEXES[name];
    const config = load({ ...(keyVariable === null ? {} : { [keyVariable]: 'canary' }) });
    const { search } = config;
    const { settings, key } = indexSettingsOf(config, name);
    expect(settings).toEqual({ url: address, contact: null });
    expect(key?.reveal() ?? null).toBe(keyVariable === null ? null : 'canary');
    expect(`${JSON.stringify(search)} ${inspect(search, { depth: 9, showHidden: true })}`).not.toContain(
      'canary',
    );
  },
);

test.each(KEYED_INDEXES)('the key of %s is a secret, and may lie in a file', (name) => {
  expect(secretPaths).toContain(`search.${name}.apiKey`);
  writeFileSync(join(path(), 'key.txt'), 'canary\n');
  const file = { [environmentNames[`search.${name}.apiKeyFile`]]: 'key.txt' };
  expect(indexSettingsOf(load(file), name).key?.reveal()).toBe('canary');
  const both = { ...file, [environmentNames[`search.${name}.apiKey`]]: 'own' };
  expect(indexSettingsOf(load(both), name).key?.reveal()).toBe('own');
  const missing = { [environmentNames[`search.${name}.apiKeyFile`]]: 'none.txt' };
  expect(toldProblems(missing)).toEqual([expect.stringContaining('no such file')]);
});

test('an address of one’s own is taken, and none that could hold a key', () => {
  writeConfigFile({
    fetch: { contact: 'a@example.org' },
    search: { searxng: { url: 'http://127.0.0.1:8888/searx' } },
  });
  expect(indexSettingsOf(load(), 'searxng').settings).toEqual({
    url: 'http://127.0.0.1:8888/searx',
    contact: 'a@example.org',
  });
  for (const url of [
    'https://user:word@example.org',
    'https://example.org/?token=canary',
    'ftp://example.org',
  ])
    expect(toldProblems({ COLLIGATE_TAVILY_URL: url })).toEqual([
      expect.stringContaining('an http or https URL without a query, a name and a password'),
    ]);
  // Indexes take addresses of e-mail alone.
  const site = load({ COLLIGATE_FETCH_CONTACT: 'https://example.org/about@us' });
  expect(indexSettingsOf(site, 'crossref').settings.contact).toBeNull();
});
