import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['.', 'docs', 'docs/decisions', 'training'];
const documents = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The rooms of `src`, which documents name without it. */
const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);
const NAMED = new RegExp(`^(?:src|tests|scripts|${rooms.join('|')})/[\\w./-]+\\.(?:ts|mjs|json)$`);

/** Told of a time that is over: what went before, and why something was decided. */
const OF_THE_PAST = [/^CHANGELOG\.md$/, /^docs\/decisions\//, /^docs\/structure\.md$/];

/** An example of how tests mirror what they test. */
const MADE_UP = 'src/x/y.ts';

test.each(documents.filter((document) => !OF_THE_PAST.some((past) => past.test(document))))(
  'the files that %s names are there',
  (document) => {
    const named = [...readFileSync(join(ROOT, document), 'utf8').matchAll(/`([^`\n]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => NAMED.test(name) && name !== MADE_UP);
    const isThere = (name: string): boolean =>
      existsSync(join(ROOT, name)) || existsSync(join(ROOT, 'src', name));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  },
);
