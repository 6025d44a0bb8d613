import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Answer } from '../../../src/contracts/answer';
import { Brief } from '../../../src/contracts/brief';
import { Report } from '../../../src/contracts/report';
import { useDevProject } from '../project-under-test';

describe('export', () => {
  const QUESTION = 'Does exercise improve sleep?';

  const project = useDevProject();
  const { colligate } = project;

  /** A run of each kind that has ended, and one that goes on. */
  beforeAll(async () => {
    await carriedOut(`report "${QUESTION}" --sources notes --id a-report`);
    await carriedOut(`answer "${QUESTION}" --sources notes --id an-answer`);
    await carriedOut(`brief "${QUESTION}" --from a-report --id a-brief`);
  });

  async function carriedOut(command: string): Promise<void> {
    const made = await colligate(command);
    expect(`${made.code} ${made.stderr}`).toMatch(/^0 /);
  }

  async function exported(id: string, format: string): Promise<string> {
    const { code, stdout, stderr } = await colligate(`export ${id} --format ${format}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  describe.each([
    ['a-report', Report],
    ['an-answer', Answer],
    ['a-brief', Brief],
  ])('%s', (id, schema) => {
    let stored: Report | Answer | Brief;
    beforeAll(async () => {
      stored = schema.parse(JSON.parse(await exported(id, 'json')));
    });

    test('as JSON is what show prints', async () => {
      expect(await exported(id, 'json')).toBe((await colligate(`show ${id} --json`)).stdout);
      expect(stored.claims.length).toBeGreaterThan(0);
    });
  });

  test('a file is written whole, and nothing is printed', async () => {
    const result = await colligate('export a-report --format csv --out evidence.csv');
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await project.read('evidence.csv')).toBe(await exported('a-report', 'csv'));
  });

  test('a file for word processors is written; a PDF without a Chromium is refused with what to do', async () => {
    const word = await colligate('export a-report --format docx --out report.docx');
    expect(word).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await project.read('report.docx')).slice(0, 2)).toBe('PK');
    const named = { COLLIGATE_CHROMIUM: path.join(project.folder, 'no-browser') };
    const paper = await colligate('export a-report --format pdf --out report.pdf', { env: named });
    expect(paper).toMatchObject({ code: 2, stdout: '' });
    expect(paper.stderr).toMatch(/none was found\. .*export html, open the page in a browser and print it/);
  });

  test('a report has its page beside it, unless that is not wanted', async () => {
    expect(await project.read('reports/a-report/report.html')).toBe(await exported('a-report', 'html'));
    const watched = await colligate('watch a-report --out elsewhere --json');
    const folder = path.join(project.folder, 'elsewhere', 'a-report');
    expect(JSON.parse(watched.stdout)).toMatchObject({ files: { html: path.join(folder, 'report.html') } });
    const without = await colligate('watch a-report --out elsewhere --no-html --json');
    expect(JSON.parse(without.stdout)).toMatchObject({
      files: { html: null, json: path.join(folder, 'report.json') },
    });
    await expect(stat(path.join(folder, 'report.html'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  describe('the text around a quote', () => {
    /** What stands behind the quote of each source. */
    const BEHIND = {
      open: 'Snow lay about.',
      closed: 'It was spring.',
      unknown: 'Tea was free.',
      own: 'Rain fell.',
    };
    const QUOTES: Record<keyof typeof BEHIND, string> = {
      open: 'Walking for 30 minutes improved sleep by 24 minutes in 40 older adults (p = 0.01).',
      closed: 'Evening walking improved sleep quality by 2.1 points in 120 office workers (p = 0.02).',
      unknown: 'Brisk walking improved sleep of nurses by 34 minutes after night shifts (p = 0.03).',
      own: 'Students in Canada had their sleep improved by walking to school, by 18 minutes (p = 0.04).',
    };
    const study = (id: keyof typeof BEHIND): object => ({
      id,
      title: `Walking and sleep, trial ${id}`,
      content: `${QUOTES[id]} ${BEHIND[id]}`,
    });
    const shownIn = (page: string): string[] =>
      Object.entries(BEHIND).flatMap(([id, behind]) => (page.includes(behind) ? [id] : []));

    beforeAll(async () => {
      await project.write('studies.json', [
        { ...study('open'), url: 'https://journal.example/open', license: 'CC BY 4.0' },
        { ...study('closed'), url: 'https://journal.example/closed', license: 'CC BY-NC-ND 4.0' },
        { ...study('unknown'), url: 'https://journal.example/unknown' },
        study('own'),
      ]);
      await carriedOut(
        'report "Does walking improve sleep?" --sources studies.json --id licences --texts none',
      );
    });

    test('is shown of all or of none where that is set', async () => {
      const all = await colligate('export licences --format html --texts all');
      expect(shownIn(all.stdout)).toEqual(['open', 'closed', 'unknown', 'own']);
      const none = await colligate('export licences --format html', { env: { COLLIGATE_TEXTS: 'none' } });
      expect(shownIn(none.stdout)).toEqual([]);
      expect(none.stdout).toContain('texts of sources are left out here');
      expect(await project.read('reports/licences/report.html')).toBe(none.stdout);
      expect((await colligate('watch licences --out others --texts all')).code).toBe(0);
      expect(await project.read('others/licences/report.html')).toBe(all.stdout);
    });
  });

  test.each([
    ['export a-report', /required option '--format <format>'/],
    ['export a-report --format odt', /Allowed choices are md, html, docx, pdf, json, csv, ris, bibtex/],
    ['export a-report --format html --texts some', /Allowed choices are open, all, none/],
    ['watch a-report --out elsewhere --texts some', /--texts \(flag\) is "some"; allowed: open, all, none/],
    ['export a-report --format docx', /docx is no text and cannot be printed: name a file with --out/],
    ['export nobody --format csv', /There is no run "nobody"/],
    ['export a-report --format csv --out .', /it is a folder; name a file in it/],
    ['export a-report --format csv --out none/evidence.csv', /no file can be written there \(ENOENT\)/],
  ])('%s is refused', async (command, message) => {
    const { code, stdout, stderr } = await colligate(command);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('diff', () => {
  const QUESTION = 'Does exercise improve sleep?';

  const project = useDevProject();
  const { colligate } = project;

  /** Two runs over notes: in the later, one note has another number, one is gone and one has come. */
  beforeAll(async () => {
    await report('before');
    await changeNotes(path.join(project.folder, 'notes'));
    await report('after');
  });

  async function report(id: string): Promise<void> {
    const made = await colligate(`report "${QUESTION}" --sources notes --id ${id}`);
    expect(`${made.code} ${made.stderr}`).toMatch(/^0 /);
  }

  async function changeNotes(notes: string): Promise<void> {
    const corrected = path.join(notes, 'note-1.md');
    await writeFile(corrected, (await readFile(corrected, 'utf8')).replace('38 minutes', '51 minutes'));
    await rm(path.join(notes, 'note-8.md'));
    await writeFile(
      path.join(notes, 'note-9.md'),
      '---\ntitle: "Exercise at weekends and \\u001b[31msleep\\u001b[0m"\nurl: https://journal.example/9\nauthor: "Jane Doe"\ndate: 2021\n---\n\n' +
        '# Exercise at weekends and sleep\n\nThis cohort study followed 700 adults in Chile for 3 years. Exercise at weekends was associated with a 12 % lower risk of insomnia.\n',
    );
  }

  test('tells what is new, changed and withdrawn between two real reports', async () => {
    const result = await colligate('diff before after');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(
      /^# What changed from `before` to `after`\n\n- Sources: 1 changed, 1 came, 1 went, 6 as they were\n- Findings: \d+ new, /,
    );
    const [first, second, third] = [...result.stdout.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect([first, second, third]).toEqual([
      'Sources that changed (1)',
      'Sources that came (1)',
      'Sources that went (1)',
    ]);
    expect(result.stdout).toMatch(
      /## New findings[\s\S]*“Exercise at weekends was associated with a 12 % lower risk[\s\S]*Doe \(2021\)/,
    );
    expect(result.stdout).toMatch(/## Changed findings[\s\S]*Figures: 38 minutes → 51 minutes/);
    expect(result.stdout).toMatch(
      /## Withdrawn findings[\s\S]*Exercise was associated with a 21 % lower risk/,
    );
    expect(result.stdout).toMatch(
      /## Sources newly cited \(1\)\n\n- Doe \(2021\), “Exercise at weekends and sleep”/,
    );
    expect(result.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('a run that is unknown is refused', async () => {
    const unknown = await colligate('diff before nobody --json');
    expect(unknown.code).toBe(2);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: 'run-not-found' } });
  });
});
