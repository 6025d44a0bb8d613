import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { createColors } from 'picocolors';
import { verifiedLines } from '../../src/cli/results/verified-lines';
import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { withoutAnnotations } from '../../src/verification/report/annotate-report';
import { type CommandResult, newProjectFolder, runCommand } from './command-line-under-test';
import { useProject } from './project-under-test';

describe('verify', () => {
  const NOTE = `---
title: Evening walking and sleep
url: https://example.org/sleep
---
Total sleep time increased by 38 minutes in the exercise group. Walking did not reduce daytime sleepiness.
`;
  const REPORT = `# On sleep

Total sleep time increased by 38 minutes in the exercise group [1]. Total sleep time increased by 83 minutes in the exercise group [1].

Nobody is cited here. Something else is said here of a \u001b[31mred\u001b[0m book [2], and of one without an entry [5].

## Sources

1. “Evening walking and sleep.” <https://example.org/sleep/?utm_campaign=x&utm_source=y>
2. “A book that nobody gave.” <https://example.com/book>
`;

  const project = useProject(async ({ folder, write }) => {
    await write('notes/sleep.md', NOTE);
    await write('notes/spare.md', '# A spare one\n\nNothing of it is cited.\n');
    await write('report.md', REPORT);
    await write('other.json', { text: REPORT });
    await write('plain.md', '# Plain\n\nNothing is cited here.\n');
    await write('empty.md', '\n');
    await write('binary.md', Buffer.from([0x89, 0x50, 0, 1]));
    await symlink(path.join(folder, 'report.md'), path.join(folder, 'link.md'));
  });
  const verify = (line: string): Promise<CommandResult> => project.colligate(`verify ${line}`);

  test('tells the counts, then the claims with the worst first, then what is wrong, each with its line', async () => {
    const { code, stdout, stderr } = await verify('report.md --sources notes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(
      /^3 claims: 1 supported, 1 (?:contradicted|unsupported); 1 cites what was not given\. 1 statement cites nothing\.$/,
    );
    expect(lines[3]).toMatch(/^line +verdict +claim +reason +place$/);
    expect(lines[4]).toMatch(/^3 +(?:contradicted|unsupported) +Total sleep time increased by 83 .*“83/);
    expect(lines[5]).toMatch(/^5 +unchecked +Something else/);
    expect(lines[6]).toMatch(/^3 +supported +Total sleep time increased by 38 /);
    expect(stdout).toMatch(/^Citations without an entry in the list of sources: 1\n {2}line 5 {2}\[5\]\n/m);
    expect(stdout).toMatch(
      /^Entries whose source is not among those given: 1\n {2}line 10 {2}.*A book that nobody gave/m,
    );
    expect(stdout).toMatch(/^Given sources that the report does not cite: 1\n {2}A spare one\n/m);
    expect(stdout).not.toContain('\u001b');
  });

  test('leaves nothing behind: no server, no folder of its own', async () => {
    const cwd = await newProjectFolder();
    await project.colligate(`verify "${project.folder}/report.md" --sources "${project.folder}/notes"`, {
      cwd,
    });
    expect(await readdir(cwd)).toEqual([]);
  });

  test('--json is one document that the schema knows, and --out has the same', async () => {
    const { code, stdout } = await verify('report.md --sources notes --json --out found.json');
    const found = VerifiedReport.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(found.audit).toMatchObject({ claims: 3, supported: 1, unchecked: 1, uncited: 1 });
    expect(found.citations).toEqual({ found: 4, resolved: 2, unresolved: 2, ambiguous: 0 });
    expect(found.problems.map(({ kind, line }) => [kind, line])).toEqual([
      ['citation-without-entry', 5],
      ['source-missing', 10],
      ['source-unused', null],
    ]);
    expect(await project.read('found.json')).toBe(stdout);
  });

  test.each([
    ['0.34', 1],
    ['34%', 1],
    ['0.33', 0],
    ['33.3%', 0],
    ['0', 0],
    ['1', 1],
  ])('--fail-under %s, where one claim of three is supported, leaves %i', async (share, code) => {
    const result = await verify(`report.md --sources notes --fail-under ${share} --json`);
    expect(result.code).toBe(code);
    VerifiedReport.parse(JSON.parse(result.stdout));
    const percent = share.endsWith('%') ? share : `${100 * Number(share)}%`;
    expect(result.stderr).toBe(
      code === 0 ? '' : `1 of 3 claims are supported (33.3%), fewer than the ${percent} of --fail-under.\n`,
    );
  });

  test('--annotate writes the report with its verdicts, and taking them out gives the report back', async () => {
    const { code } = await verify('report.md --sources notes --annotate checked.md');
    expect(code).toBe(0);
    const annotated = await project.read('checked.md');
    expect(annotated).toMatch(
      /in the exercise group \[1\]\. <sup>\[C1 supported\]\(#verdict-c1\)<\/sup> Total/,
    );
    expect(annotated).toContain('3 claims: 1 supported');
    expect(withoutAnnotations(annotated)).toBe(REPORT);
  });

  test('a report that lies among its sources is no source of its own, nor is an annotated one', async () => {
    await verify('report.md --sources notes --annotate among.md');
    const own = await verify('link.md --sources notes report.md among.md --json');
    expect(own.stderr).toBe(
      ['report.md', 'among.md']
        .map((file) => `${file} is the report itself, and is no source of its own.\n`)
        .join(''),
    );
    expect(VerifiedReport.parse(JSON.parse(own.stdout)).sources).toMatchObject({ given: 2, cited: 1 });
  });

  const mistakes: [string, string, RegExp][] = [
    ['no report', '--sources notes', /missing required argument 'report'/],
    ['no sources', 'report.md', /--sources/],
    ['a report that is not there', 'missing.md --sources notes', /REPORT missing\.md: no such file/],
    ['a folder for a report', 'notes --sources notes', /REPORT notes: a folder where a file should be/],
    ['an empty report', 'empty.md --sources notes', /REPORT empty\.md: the file is empty/],
    ['a binary report', 'binary.md --sources notes', /REPORT binary\.md, line 1: a binary file/],
    [
      'a report that cites nothing',
      'plain.md --sources notes',
      /REPORT plain\.md: nothing in it cites anything/,
    ],
    ['JSON', 'other.json --sources notes', /REPORT other\.json: it is JSON; give the report as Markdown/],
    ['sources that are not there', 'report.md --sources missing', /missing: there is no such file/],
    ['sources that are none', 'report.md --sources empty.md', /empty\.md/],
    ['only the report for a source', 'report.md --sources report.md', /There is no source to read/],
    [
      'words for a share',
      'report.md --sources notes --fail-under most',
      /--fail-under is "most": give a share/,
    ],
    ['a share above one', 'report.md --sources notes --fail-under 80', /--fail-under is "80"/],
    ['a negative share', 'report.md --sources notes --fail-under=-0.5', /--fail-under is "-0\.5"/],
    [
      'the report annotated in its own place',
      'report.md --sources notes --annotate ./report.md',
      /that file is read/,
    ],
    ['the same by a link', 'report.md --sources notes --annotate link.md', /that file is read/],
    [
      'a folder to write to',
      'report.md --sources notes --annotate notes',
      /--annotate notes: it is a folder/,
    ],
    [
      'a folder that is not there',
      'report.md --sources notes --annotate none/a.md',
      /--annotate none\/a\.md: no file can/,
    ],
    ['one file for both', 'report.md --sources notes --annotate a.md --out ./a.md', /name two files/],
  ];

  test.each(mistakes)('%s is a usage error that names the mistake', async (_name, line, message) => {
    const { code, stdout, stderr } = await verify(line);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('with --json a usage error is one JSON document, with all mistakes at once', async () => {
    const { code, stdout } = await verify(
      'missing.md --sources nowhere --fail-under x --annotate notes --json',
    );
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
    expect({ code, kind: error.code }).toEqual({ code: 2, kind: 'usage' });
    for (const mistake of [/missing\.md/, /nowhere/, /--fail-under/, /--annotate/])
      expect(error.message).toMatch(mistake);
  });

  test('where nothing can be written, nothing is told either', async () => {
    const { code, stdout, stderr } = await verify('report.md --sources notes --annotate /proc/checked.md');
    expect(stderr).toMatch(/--annotate \/proc\/checked\.md: .*written/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('docs/verify.md shows what is really printed for its example', async () => {
    const root = path.resolve(__dirname, '../..');
    const document = await readFile(path.join(root, 'docs/verify.md'), 'utf8');
    const example = await readFile(path.join(root, 'examples/answer.md'), 'utf8');
    const [report, shown] = ['md', 'text'].map((kind) => blockOf(document, kind));
    expect(report).toBe(example);
    const { stdout } = await runCommand('verify examples/answer.md --sources examples/vitamin-d --json', {
      cwd: root,
    });
    const printed = verifiedLines(VerifiedReport.parse(JSON.parse(stdout)), {
      width: 150,
      colours: createColors(false),
    });
    expect(printed.join('\n')).toMatch(new RegExp(`^${escaped(shown?.trimEnd() ?? 'none')}`));
  });

  test('a narrow terminal has each reason whole, below its claim', async () => {
    const { stdout } = await verify('report.md --sources notes --json');
    const report = VerifiedReport.parse(JSON.parse(stdout));
    const lines = verifiedLines(report, { width: 80, colours: createColors(false) });
    const claims = lines.slice(3, lines.indexOf('', 3));
    for (const line of claims) expect(line.length).toBeLessThanOrEqual(80);
    const unchecked = claims.findIndex((line) => line.startsWith('line 5  unchecked  Something else'));
    expect(claims[unchecked + 1]).toBe('      What it cites is not among the given sources.');
    expect(claims.at(-1)).toMatch(/^line 3 {2}supported {2}Total sleep time increased by 38 minutes/);
  });

  function blockOf(markdown: string, kind: string): string | undefined {
    return new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'm').exec(markdown)?.[1];
  }

  function escaped(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
});
