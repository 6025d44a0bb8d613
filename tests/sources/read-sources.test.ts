import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { SourceId } from '../../src/contracts/source';
import { SOURCE_EXTENSIONS } from '../../src/sources/formats/source-formats';
import { readAll, sourceFolder, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

describe('readSources', () => {
  const lines = (...values: unknown[]): string =>
    values.map((value) => `${JSON.stringify(value)}\n`).join('');

  describe('JSON lines', () => {
    it('gives records in order with all their fields, and content exactly as given', async () => {
      const full = {
        id: 'a1',
        url: 'https://example.org/a',
        title: 'A',
        author: 'One; Two',
        site: 'S',
        publishedAt: '2005',
        accessedAt: '2026-01-01',
        license: 'CC0',
        summary: 'Short.',
        content: '  \u200bText\r\nwith “all” of it \n\n',
        pages: [{ number: 1, start: 0, end: 5 }],
      };
      const other = JSON.stringify({ id: 'b', title: 'B', content: 'x', more: 1 });
      const file = await folder.write('a.jsonl', `\ufeff${lines(full)}\r\n\n${other}`);
      const { records, problems } = await readAll(file);
      expect(problems).toEqual([]);
      expect(records).toEqual([full, { id: 'b', title: 'B', content: 'x' }]);
    });

    it('takes null and empty fields for missing, numbers for text and a list of authors for names', async () => {
      const author = ['Ada', { name: 'Grace' }];
      const odd = { id: 7, url: null, title: ' ', author, publishedAt: 2005, site: '', content: '# T\nx' };
      expect((await readAll(await folder.write('a.jsonl', lines(odd)))).records).toEqual([
        { id: '7', title: 'T', author: 'Ada; Grace', publishedAt: '2005', content: '# T\nx' },
      ]);
    });

    it.each([
      ['{"content": "x"', /not valid JSON/],
      ['[1]', /a list where a record should be/],
      ['null', /null where a record should be/],
      ['{"title":"t"}', /content is missing/],
      ['{"content":" \\n "}', /content is empty/],
      ['{"content":5}', /content is a number/],
      ['{"content":"x","id":"a b"}', /id is "a b"; allowed is 1–200 characters/],
      ['{"content":"x","url":"/relative"}', /url is "\/relative"; allowed is an absolute http or https/],
      ['{"content":"x","url":"javascript:alert(1)"}', /url is .*http or https/],
      ['{"content":"x","url":"https://a.example/\\n[x](y)"}', /url is .*without spaces/],
      ['{"content":"x","title":["a"]}', /title is a list; allowed is text/],
      [`{"content":"x","summary":"${'s'.repeat(1001)}"}`, /summary has 1,001 characters.*at most 1,000/],
      ['{"content":"x","pages":[{"number":1,"start":0,"end":9}]}', /pages is a list.*inside the content/],
      ['{"content":"x","pages":5}', /pages is a number/],
      ['{"content":7,"url":"x"}', /url is "x".*; content is a number/],
      ['{"content":"x","id":"\\u001b[31m \\u202e"}', /id is "\[?"?/],
    ])('names what is wrong with %s, with its line', async (bad, message) => {
      const [before, after] = [lines({ content: 'good' }), lines({ content: 'good too' })];
      const file = await folder.write('a.jsonl', `${before}\n${bad}\n${after}`);
      const { records, problems } = await readAll(file);
      expect(records).toHaveLength(2);
      expect(problems).toEqual([{ file, line: 3, message: expect.stringMatching(message) as string }]);
      expect(problems[0]?.message).not.toMatch(/[\u001b\u202e]|\n|at Object/);
    });

    it('finds broken UTF-8 on its line and goes on', async () => {
      const good = Buffer.from(lines({ content: 'good' }));
      const broken = Buffer.from('{"content":"\xff\xfe"}\n', 'latin1');
      const file = await folder.write('a.jsonl', Buffer.concat([good, broken, good]));
      const { records, problems } = await readAll(file);
      expect(records).toHaveLength(2);
      expect(problems).toEqual([
        { file, line: 2, message: expect.stringContaining('broken UTF-8') as string },
      ]);
    });

    it('takes a binary file for one problem', async () => {
      const binary = Buffer.from(Array.from({ length: 5_000 }, (_unused, index) => (index * 7) % 256));
      const { records, problems } = await readAll(await folder.write('a.jsonl', binary));
      expect(records).toEqual([]);
      expect(problems.at(-1)?.message).toContain('binary');
      const utf16 = await folder.write('b.jsonl', Buffer.from('\ufeff{"content":"x"}', 'utf16le'));
      const told = toldProblems((await readAll(utf16)).problems, folder);
      expect(told).toEqual([expect.stringContaining('UTF-16')]);
    });

    it('reads lines that are longer than a chunk', async () => {
      const content = 'wörd '.repeat(200_000);
      const file = await folder.write('a.jsonl', lines({ id: 'a', content }, { id: 'b', content: 'x' }));
      const { records } = await readAll(file);
      expect(records.map((record) => record.content.length)).toEqual([content.length, 1]);
      expect(records[0]?.content).toBe(content);
    });

    it('keeps half a surrogate pair in content, and nowhere else', async () => {
      const file = await folder.write('a.jsonl', '{"title":"t\\ud800","content":"a\\ud800b"}\n');
      expect((await readAll(file)).records[0]).toMatchObject({ title: 't\ufffd', content: 'a\ud800b' });
    });
  });

  describe('JSON', () => {
    it.each([
      ['a list', [{ content: 'x' }, { content: 'y' }], 2],
      ['an object with sources', { sources: [{ content: 'x' }] }, 1],
      ['a single record', { content: 'x' }, 1],
    ])('reads %s', async (_name, value, count) => {
      const { records, problems } = await readAll(
        await folder.write('a.json', JSON.stringify(value, null, 2)),
      );
      expect(problems).toEqual([]);
      expect(records).toHaveLength(count);
    });

    it('says which record of a list is bad, and on which line a file stops being JSON', async () => {
      const list = await folder.write('a.json', JSON.stringify([{ content: 'x' }, { content: '' }]));
      const broken = await folder.write('b.json', '[\n  {"content": "x"},\n  {"content": "y"]\n');
      const token = await folder.write('c.json', '[\n  {"content": "x"},\n  {"content": oops}\n]');
      expect(toldProblems((await readAll(list, broken, token)).problems, folder)).toEqual([
        expect.stringMatching(/^a\.json: record 2: content is empty/),
        expect.stringMatching(/^b\.json:3: .*not valid JSON/),
        expect.stringMatching(/^c\.json:3: /),
      ]);
    });

    it.each([
      ['', 'the file is empty'],
      ['[]', 'the list of sources is empty'],
      ['{"sources": []}', 'the list of sources is empty'],
    ])('finds no source in %j', async (text, message) => {
      const file = await folder.write('a.json', text);
      expect((await readAll(file)).problems).toEqual([{ file, message }]);
    });

    it('leaves settings of tools in a folder alone, but not when they are named', async () => {
      await folder.write('note.md', 'text');
      const settings = await folder.write('package.json', '{"name":"x","license":"MIT"}');
      expect(await readAll(folder.path)).toMatchObject({
        records: [{ content: 'text' }],
        problems: [],
        skipped: [settings],
      });
      expect((await readAll(settings)).problems).toHaveLength(1);
    });
  });

  describe('Markdown and text', () => {
    it('takes front matter as it is written, and everything after it as content', async () => {
      const file = await folder.write(
        'note.md',
        '\ufeff---\r\ntitle: "Salt: a review"\r\nurl: https://example.org/salt\r\nauthors:\r\n  - Ada Lovelace\r\n  - {name: Grace Hopper}\r\nsite: 2020\r\ndate: 2005-03-01\r\naccessedAt: 2026-01-01T10:00:00Z\r\nid: 007\r\nlicense: no\r\nsummary: >\r\n  Two\r\n  lines.\r\ntags: [a, b]\r\n---\r\n\r\n# Heading\r\ntext \r\n',
      );
      const { records, problems } = await readAll(file);
      expect(problems).toEqual([]);
      expect(records).toEqual([
        {
          id: '007',
          file: 'note.md',
          title: 'Salt: a review',
          url: 'https://example.org/salt',
          author: 'Ada Lovelace; Grace Hopper',
          site: '2020',
          publishedAt: '2005-03-01',
          mediaType: 'text/markdown',
          sha256: createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
          accessedAt: '2026-01-01T10:00:00Z',
          license: 'no',
          summary: 'Two lines.',
          content: '\r\n# Heading\r\ntext \r\n',
        },
      ]);
    });

    it.each([
      ['a rule at the start', '---\nProse between rules.\n---\nmore'],
      ['a block without an end', '---\ntitle: x\n\ntext'],
      ['no block', 'text\n---\ntitle: x\n---\n'],
      ['white space around it', '\n\n  text  \n\n'],
    ])('keeps a text with %s as it is', async (_name, text) => {
      const { records } = await readAll(await folder.write('note.txt', text));
      expect(records.map((record) => record.content)).toEqual([text]);
    });

    it('reads an empty block', async () => {
      expect((await readAll(await folder.write('note.md', '---\n---\ntext'))).records[0]?.content).toBe(
        'text',
      );
    });

    it.each([
      ['', 'the file is empty'],
      [' \n\t\n', 'the file is empty'],
      ['---\ntitle: x\n---\n\n', 'there is no text after the front matter'],
    ])('finds no source in %j', async (text, message) => {
      const file = await folder.write('note.md', text);
      expect((await readAll(file)).problems).toEqual([{ file, message }]);
    });

    it('finds what is wrong in fields, broken UTF-8 and binary files, with the line', async () => {
      const broken = await folder.write('b.md', Buffer.from('one\ntwo\nthr\x81e\n', 'latin1'));
      const binary = await folder.write('c.txt', Buffer.from('one\n\0\u0001'));
      const field = await folder.write('d.md', '---\nid: a b\n---\ntext');
      const { problems } = await readAll(broken, binary, field);
      expect(toldProblems(problems, folder)).toEqual([
        expect.stringMatching(/^b\.md:3: .*broken UTF-8/),
        expect.stringMatching(/^c\.txt:2: .*binary/),
        expect.stringMatching(/^d\.md: .*id is "a b"/),
      ]);
    });

    it.each([
      [
        'note.md',
        'text\n\n## The *first* [one](https://x.example) `code` ##\n# Second',
        'The first one code',
      ],
      ['note.md', 'Set\next\n=====\ntext', 'ext'],
      ['note.md', '```sh\n# a comment\n```\n# Real', 'Real'],
      ['note.md', '# ![logo](x.png)\n<h1 align="center">\n  <b>Name</b>\n</h1>', 'Name'],
      ['salt_and-pressure.txt', 'no heading', 'salt and pressure'],
      ['some-package/README.md', 'no heading', 'some package'],
      ['audit.txt', 'Report on line 4\n\nThe line cost 239 million euros.', 'Report on line 4'],
      ['audit.txt', 'The line cost 239 million euros.\n\nIt opened in May.', 'audit'],
    ])('titles %s with %j', async (name, text, title) => {
      expect((await readAll(await folder.write(name, text))).records[0]?.title).toBe(title);
    });
  });

  describe('ids', () => {
    it('come from the address, else from the content, readable and the same each time', async () => {
      const url = 'https://www.Example.org/articles/PMC1/?utm_source=x';
      const records = lines({ url, content: 'x' }, { title: 'Größe & [Wirkung]', content: 'y' });
      const file = await folder.write('a.jsonl', records);
      const ids = (await readAll(file)).records.map((record) => record.id);
      expect(ids).toEqual([
        expect.stringMatching(/^example\.org-articles-pmc1-[0-9a-f]{8}$/) as string,
        expect.stringMatching(/^größe-wirkung-[0-9a-f]{12}$/) as string,
      ]);
      expect((await readAll(file)).records.map((record) => record.id)).toEqual(ids);
    });

    it('differ for different texts of one address, which are no problem', async () => {
      const url = 'https://example.org/a';
      const file = await folder.write('a.jsonl', lines({ url, content: 'x' }, { url, content: 'longer' }));
      const { records, problems } = await readAll(file);
      expect(problems).toEqual([]);
      expect(new Set(records.map((record) => record.id)).size).toBe(2);
    });

    it('that are given twice with other content are a problem, with the same content a repeat', async () => {
      const first = await folder.write('a.jsonl', lines({ id: 'a', content: 'x' }).repeat(2));
      const second = await folder.write('b.jsonl', lines({ id: 'a', content: 'other' }));
      const { records, problems } = await readAll(first, second);
      expect(records).toHaveLength(2);
      const message = `id "a" is that of ${first}:1 already, with other content; ids must differ`;
      expect(problems).toEqual([{ file: second, line: 1, message }]);
    });

    it('keep the contract for any title and address', async () => {
      const some = { seed: 5, numRuns: 200 };
      const titled = fc.sample(fc.record({ title: fc.string({ unit: 'binary' }), content: fc.uuid() }), some);
      const addressed = fc.sample(fc.webUrl({ withQueryParameters: true }), some);
      const records = [...titled, ...addressed.map((url) => ({ url, content: url }))];
      const { records: read } = await readAll(await folder.write('a.jsonl', lines(...records)));
      expect(read.length).toBeGreaterThan(390);
      expect(read.filter((record) => !SourceId.safeParse(record.id).success)).toEqual([]);
    });
  });

  describe('files and folders', () => {
    it('reads folders by name, without hidden entries, other types and node_modules', async () => {
      const names = 'b.md a.txt Z.md ä.md sub/c.MD .hidden/d.md .e.md node_modules/p/README.md f.png g.svg';
      for (const name of names.split(' ')) await folder.write(name, name);
      const { records, problems, skipped } = await readAll(folder.path);
      expect(records.map((record) => record.content)).toEqual(['Z.md', 'a.txt', 'b.md', 'sub/c.MD', 'ä.md']);
      expect(problems).toEqual([]);
      expect(skipped).toEqual([join(folder.path, 'f.png'), join(folder.path, 'g.svg')]);
    });

    it('reads what is named even where a folder would leave it out', async () => {
      const files = [
        await folder.write('node_modules/b/README.md', 'b'),
        await folder.write('node_modules/a/README.md', 'a'),
        await folder.write('.hidden.md', 'h'),
      ];
      await folder.write('node_modules/c/docs/guide.md', 'c');
      const { records, problems } = await readAll(...files, join(folder.path, 'node_modules/c'));
      expect(problems).toEqual([]);
      expect(records.map((record) => record.content)).toEqual(['b', 'a', 'h', 'c']);
    });

    it('reads each file once, through links and loops too', async () => {
      const file = await folder.write('sub/a.md', 'a');
      await symlink(folder.path, join(folder.path, 'sub/loop'));
      await symlink(file, join(folder.path, 'link.md'));
      await symlink(join(folder.path, 'nowhere'), join(folder.path, 'broken'));
      const { records, problems } = await readAll(folder.path, file, folder.path, join(folder.path, 'sub'));
      expect(records).toHaveLength(1);
      expect(problems).toEqual([]);
    });

    it('says what is wrong with a path', async () => {
      const image = await folder.write('a.png', 'x');
      await folder.write('empty/x.png', 'x');
      const loop = join(folder.path, 'loop.md');
      await symlink(loop, loop);
      const missing = join(folder.path, 'missing.md');
      const [pattern, empty] = [join(folder.path, '*.md'), join(folder.path, 'empty')];
      const { records, problems } = await readAll(missing, pattern, image, empty, loop, '/dev/null', ' ');
      expect(records).toEqual([]);
      expect(problems.map((problem) => problem.message)).toEqual([
        'no such file or folder',
        'no such file or folder (patterns are expanded by the shell, and only outside of quotes)',
        `files of this type cannot be read; allowed are ${SOURCE_EXTENSIONS.join(', ')}`,
        `the folder has no source among its 1 file; allowed are ${SOURCE_EXTENSIONS.join(', ')}`,
        'a link that leads to itself',
        'a device, not a file; name a file or a folder',
        'an empty path; name a file or a folder',
      ]);
    });
  });
});

describe('large files', () => {
  const SOURCES = 1_000;

  const CHARS = 30_000;

  /** Reads a file in a process of its own and prints how many sources there were, and how the heap grew meanwhile. */
  const READER = `
  import { readSources } from ${JSON.stringify(join(__dirname, '../../src/sources/read-sources.ts'))};
  async function main() {
    let count = 0, early = 0, most = 0;
    for await (const reading of readSources([process.argv.at(-1)])) {
      if (!reading.ok) throw new Error(reading.problem.message);
      count += 1;
      if (count % 100 !== 0) continue;
      global.gc();
      const { heapUsed, external } = process.memoryUsage();
      if (count === 200) early = heapUsed + external;
      most = Math.max(most, heapUsed + external);
    }
    console.log(JSON.stringify({ count, grown: most - early }));
  }
  void main();
`;

  it('reads a file of 30 MB without its memory growing with it', async () => {
    const folder = await sourceFolder();
    try {
      const file = join(folder.path, 'large.jsonl');
      const stream = createWriteStream(file);
      for (let index = 0; index < SOURCES; index += 1) {
        const record = { title: `T${index}`, content: `${index} `.padEnd(CHARS, 'word ') };
        if (!stream.write(`${JSON.stringify(record)}\n`))
          await new Promise<void>((resolve) => stream.once('drain', resolve));
      }
      await new Promise<void>((resolve) => stream.end(resolve));
      const reader = await folder.write('reader.ts', READER);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--expose-gc',
        '--import',
        join(__dirname, '../../node_modules/tsx/dist/loader.mjs'),
        reader,
        file,
      ]);
      const { count, grown } = JSON.parse(stdout) as { count: number; grown: number };
      expect(count).toBe(SOURCES);
      expect(grown).toBeLessThan(8 * 1024 * 1024);
    } finally {
      await folder.dispose();
    }
  });
});
