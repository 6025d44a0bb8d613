import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderError } from '../../src/lib/errors';
import { makeFolder } from '../../src/lib/files';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'colligate-folder-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('makes a folder with those above it, each with its mode, and leaves one that is there', () => {
  const deep = join(folder, 'a', 'b', 'c');
  makeFolder(deep, { mode: 0o700 });
  makeFolder(deep);
  for (const made of [deep, join(folder, 'a', 'b'), join(folder, 'a')])
    expect(statSync(made).mode & 0o777).toBe(0o700);
});

// Node's own `recursive` never returns from the first of them.
it.each(['/proc/colligate', '/proc/self/colligate/deep', '/sys/colligate'])(
  'says at once that %s cannot be made',
  (path) => {
    expect(() => makeFolder(path)).toThrow(FolderError);
    expect(() => makeFolder(path)).toThrow(`The folder ${path} cannot be made`);
  },
);

it('says that a file is in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  for (const path of [join(folder, 'file'), join(folder, 'file', 'below')])
    expect(() => makeFolder(path)).toThrow('something else than a folder has its name');
});
