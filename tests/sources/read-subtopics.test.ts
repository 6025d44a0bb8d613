import { join } from 'node:path';
import { readSubtopics, type ReadSubtopics } from '../../src/sources/read-subtopics';
import { InvalidSubtopicsError } from '../../src/sources/source-problems';
import { refusal } from '../support/refusal';
import { toldProblems, useSourceFolder } from './source-folder';

describe('readSubtopics', () => {
  const folder = useSourceFolder();

  const SAID = 'Zinc lozenges shortened colds by 33 % in seven trials.';

  async function problemsOf(...paths: string[]): Promise<string[]> {
    return toldProblems((await refusal(readSubtopics(paths), InvalidSubtopicsError)).problems, folder);
  }

  async function ofJson(value: unknown, name = 'found.json'): Promise<ReadSubtopics> {
    return readSubtopics([await folder.write(name, JSON.stringify(value))]);
  }

  describe('a folder of notes', () => {
    it('is a subtopic each by name, titled by front matter, heading or file, with the text as it stands', async () => {
      const zinc = `# Zinc\r\n\n${SAID} [trial](https://example.org/zinc)[^1]\n\n[^1]: https://example.org/note\n`;
      await folder.write('notes/02-zinc.md', zinc);
      const c = `---\ntitle: "Vitamin C"\n---\n\n## Another heading\n\n${SAID}\n`;
      await folder.write('notes/01-vitamin-c.md', c);
      await folder.write('notes/more/sleep_and-colds.txt', `${SAID}\n`);
      const { subtopics, warnings } = await readSubtopics([join(folder.path, 'notes')]);
      expect(subtopics).toEqual([
        { title: 'Vitamin C', summary: `\n## Another heading\n\n${SAID}\n` },
        { title: 'Zinc', summary: zinc },
        { title: 'sleep and colds', summary: `${SAID}\n` },
      ]);
      expect(warnings).toEqual([]);
    });

    it('takes sources and citations from front matter, and the address of a note on one source', async () => {
      await folder.write(
        'notes/a.md',
        `---\nTitle: A\ncitations:\n  - https://example.org/1\n  - https://example.org/2\nsources:\n  - url: https://example.org/2\n    title: The second\n    date: 2013-06-18\n    content: All of it.\n---\n${SAID}\n`,
      );
      await folder.write(
        'notes/b.md',
        `---\ntitle: B\nurl: https://example.org/b\nauthor: [Ada, Grace]\nsources: https://example.org/c\n---\n${SAID}\n`,
      );
      const { subtopics } = await readSubtopics([join(folder.path, 'notes')]);
      const second = { url: 'https://example.org/2' };
      expect(subtopics).toMatchObject([
        {
          citations: ['https://example.org/1', 'https://example.org/2'],
          sources: [{ ...second, title: 'The second', publishedAt: '2013-06-18', content: 'All of it.' }],
        },
        {
          sources: [{ url: 'https://example.org/c' }, { url: 'https://example.org/b', author: 'Ada; Grace' }],
        },
      ]);
    });

    it('takes an index that says something for a subtopic, and tells of one that does not', async () => {
      await folder.write('with/README.md', `# Colds\n\n${SAID}\n`);
      await folder.write('with/picture.png', Buffer.from([0x89, 0]));
      await folder.write('without/index.md', '# Notes\n\nNotes on the subject:\n\n- [Zinc](zinc.md)\n');
      await folder.write('without/zinc.md', SAID);
      const folders = ['with', 'without'].map((name) => join(folder.path, name));
      const { subtopics, warnings } = await readSubtopics(folders);
      expect(subtopics.map(({ title }) => title)).toEqual(['Colds', 'zinc']);
      expect(warnings.map(({ message }) => message.replace(`${folder.path}/`, ''))).toEqual([
        'with/picture.png: left out: subtopics are read from .md, .markdown, .txt, .json, .jsonl',
        'without/index.md: left out: it has no prose, and is no subtopic',
      ]);
    });

    it('names everything that is wrong before anything starts, file by file', async () => {
      await folder.write('notes/a-binary.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
      await folder.write('notes/b-empty.md', ' \n');
      const links = '# Links\n\n- [One](https://example.org/1)\n- https://example.org/2\n';
      await folder.write('notes/c-links.md', links);
      await folder.write('notes/e-cited.md', `---\ncitations: [Smith 2020]\n---\n${SAID}\n`);
      await folder.write('nothing/picture.png', 'x');
      const given = ['notes', 'nothing', 'missing'].map((name) => join(folder.path, name));
      expect(await problemsOf(...given)).toEqual([
        'notes/a-binary.md:1: a binary file, not text',
        'notes/b-empty.md: the file is empty',
        'notes/c-links.md: the note has no prose: give it a text that says what was found, or take it out of the folder',
        'notes/e-cited.md: citations, entry 1 is "Smith 2020"; allowed is an absolute http or https address without spaces, such as https://example.org/page, or an object with url, title and content',
        'nothing: the folder has no note among its 1 file; allowed are .md, .markdown, .txt, .json, .jsonl',
        'missing: no such file or folder',
      ]);
    });

    it('reads front matter that is no YAML line by line, and names the line', async () => {
      await folder.write('a.md', `---\ntitle: Colds: a review\nurl: https://example.org/a\n---\n${SAID}\n`);
      const { subtopics, warnings } = await readSubtopics([join(folder.path, 'a.md')]);
      expect(subtopics).toMatchObject([
        { title: 'Colds: a review', summary: `${SAID}\n`, sources: [{ url: 'https://example.org/a' }] },
      ]);
      expect(warnings.map(({ message }) => message.replace(`${folder.path}/`, ''))).toEqual([
        expect.stringMatching(/^a\.md: line 2: the front matter is no valid YAML .* read line by line$/),
      ]);
    });

    it('follows no aliases of YAML', async () => {
      const aliased = `---\na: &a [https://example.org/1]\nsources: [*a, *a]\n---\n${SAID}\n`;
      const file = await folder.write('a.md', aliased);
      expect(await problemsOf(file)).toEqual([
        expect.stringContaining('sources, entry 1 has neither url nor title nor content') as string,
      ]);
    });
  });

  describe('JSON', () => {
    const whole = { subtopic: 'Zinc', summary: SAID, citations: ['https://example.org/1'] };
    const read = { title: 'Zinc', summary: SAID, citations: ['https://example.org/1'] };

    it.each<[string, unknown]>([
      ['one', whole],
      ['a list', [whole]],
      ['a list under subtopics', { query: 'Does zinc help?', subtopics: [whole] }],
      ['document 000’s state', { subtopic_summaries: [{ ...whole, status: 'done' }] }],
    ])('is read as %s', async (_name, value) => {
      expect(await ofJson(value)).toEqual({ subtopics: [read], warnings: [] });
    });

    it('knows the names that research systems use, in any spelling, and their sources with and without texts', async () => {
      const { subtopics } = await ofJson([
        {
          topic: 'Zinc',
          Content: SAID,
          sources: [
            'https://example.org/1',
            {
              link: 'https://example.org/2',
              name: 'Second',
              raw_content: 'Text.',
              published_date: '2020',
              id: 7,
            },
            { url: 'https://example.org/3', content: '' },
          ],
        },
        { name: 'Sleep', text: SAID, references: [{ url: 'https://example.org/4', title: 'Fourth' }] },
      ]);
      expect(subtopics).toEqual([
        {
          title: 'Zinc',
          summary: SAID,
          sources: [
            { url: 'https://example.org/1' },
            { url: 'https://example.org/2', title: 'Second', content: 'Text.', publishedAt: '2020' },
            { url: 'https://example.org/3' },
          ],
        },
        {
          title: 'Sleep',
          summary: SAID,
          citations: ['https://example.org/4'],
          sources: [{ url: 'https://example.org/4', title: 'Fourth' }],
        },
      ]);
    });

    it('gives sources beside the list to those that name none', async () => {
      const { subtopics } = await ofJson({
        sources: [{ url: 'https://example.org/9', title: 'Ninth' }],
        subtopics: [{ title: 'Sleep', summary: SAID }, whole],
      });
      expect(subtopics).toMatchObject([{ sources: [{ title: 'Ninth' }] }, read]);
      expect(subtopics[1]).not.toHaveProperty('sources');
    });

    it('is read line by line from .jsonl', async () => {
      const file = await folder.write('found.jsonl', `${JSON.stringify(whole)}\n\nno json\n{"title": "T"}\n`);
      expect(await problemsOf(file)).toEqual([
        expect.stringMatching(/^found\.jsonl:3: not valid JSON/) as string,
        'found.jsonl:4: its summary is missing or empty; needed is `summary`, Markdown or plain text',
      ]);
    });

    it('names the place and the field of what is wrong', async () => {
      const file = await folder.write(
        'found.json',
        JSON.stringify([
          whole,
          { subtopic: 'No summary', citations: ['https://example.org/1'] },
          { summary: SAID },
          'text',
          {
            title: 'T',
            summary: 7,
            citations: [3, { title: 'No address' }],
            sources: [{}, { url: 'ftp://x' }],
          },
          { title: 'x'.repeat(301), summary: SAID, sources: 5 },
        ]),
      );
      expect(await problemsOf(file)).toEqual([
        'found.json: subtopic 2: its summary is missing or empty; needed is `summary`, Markdown or plain text',
        'found.json: subtopic 3: its title is missing; needed is `subtopic` or `title`, a text',
        expect.stringContaining('subtopic 4: a string where a subtopic should be') as string,
        'found.json: subtopic 5: its summary is a number; allowed is text; citations, entry 1 is a number; allowed is an address, or an object with url, title and content; sources, entry 1 has neither url nor title nor content; give at least one of them; sources, entry 2: url is "ftp://x"; allowed is an absolute http or https address without spaces, such as https://example.org/page; citations has 1 without an address; give those among `sources`',
        'found.json: subtopic 6: its title has 301 characters; at most 300 are allowed; sources is a number; allowed is a list of addresses and of { url, title, content }',
      ]);
      const other = await folder.write('package.json', '{"dependencies": {}}');
      expect(await problemsOf(other)).toEqual([expect.stringContaining('it holds no subtopics') as string]);
    });

    it('leaves out what is something else in a folder, and says so; a key that is nearly one is told too', async () => {
      await folder.write('all/package.json', '{"dependencies": {}}');
      const misspelt = { subtopic: 'Zinc', summary: SAID, citation: ['https://example.org/1'] };
      await folder.write('all/zinc.json', JSON.stringify(misspelt));
      const { subtopics, warnings } = await readSubtopics([join(folder.path, 'all')]);
      expect(subtopics).toEqual([{ title: 'Zinc', summary: SAID }]);
      expect(warnings.map(({ message }) => message.replace(`${folder.path}/`, ''))).toEqual([
        expect.stringMatching(/^all\/package\.json: left out: it holds no subtopics/) as string,
        'all/zinc.json: the key "citation" is not read; did you mean citations?',
      ]);
    });
  });
});
