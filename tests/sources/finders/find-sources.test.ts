import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSources } from '../../../src/sources/finders/find-sources';
import type { SourceReading } from '../../../src/sources/source-reading';

const { signal } = new AbortController();

test('files are what lies there when they are looked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-finder-'));
  const found = findSources({ finder: 'files', settings: { paths: [folder] } }, { signal });
  await writeFile(join(folder, 'late.md'), '# Late\n\nIt came after it was asked for.');
  const readings: SourceReading[] = [];
  for await (const reading of found) readings.push(reading);
  expect(readings).toMatchObject([{ ok: true, record: { title: 'Late' } }]);
  await rm(folder, { recursive: true });
});

test.each([
  [{ finder: 'web', settings: {} }, 'There is no finder of sources named "web"; there is: files.'],
  [
    { finder: 'files', settings: { paths: ['notes'] } },
    'settings.paths[0] is "notes": a path has to be absolute',
  ],
  [{ finder: 'files', settings: {} }, 'What the finder files is told cannot be used'],
])('%j is refused before anything is looked for', (named, why) => {
  expect(() => findSources(named, { signal })).toThrow(why);
});
