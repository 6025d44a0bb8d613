import { truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path, { join } from 'node:path';
import { useWorkingFolder } from './program-under-test';
import { useProject } from './project-under-test';

describe('wrong usage', () => {
  const project = useProject(async ({ write }) => {
    await write('note.md', '# Note\n\nSleep improved by 12 % in 40 adults.\n');
    await write('empty.md', '');
    await write('binary.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 0]));
    await write('broken.txt', Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3, 0x28]));
    await write('bad.jsonl', '{"title":"no content"}\nnot json\n');
    await mkdir(path.join(project.folder, 'empty-folder'));
  });
  const { colligate } = project;

  const mistakes: [string, string, RegExp][] = [
    ['no command', '', /Usage: colligate/],
    ['an unknown command', 'reprot', /unknown command 'reprot'[\s\S]*Did you mean report\?/],
    ['an unknown flag', 'list --jsn', /unknown option '--jsn'[\s\S]*Did you mean --json\?/],
    ['no question', 'report --sources note.md', /question/],
    ['no sources', 'report Q?', /--sources/],
    ['a question of spaces', 'report "  " --sources note.md', /QUESTION is empty/],
    ['a missing path', 'report Q? --sources missing.md', /missing\.md: there is no such file/],
    ['an empty file', 'report Q? --sources empty.md', /empty\.md/],
    ['an empty folder', 'report Q? --sources empty-folder', /empty-folder|no source/],
    ['a binary file', 'report Q? --sources binary.md', /binary\.md/],
    ['broken UTF-8', 'report Q? --sources broken.txt', /broken\.txt/],
    ['bad records', 'report Q? --sources bad.jsonl', /bad\.jsonl[^\n]*1[\s\S]*bad\.jsonl[^\n]*2/],
    ['words that are no number', 'report Q? --sources note.md --words many', /--words .*"many"/],
    ['too few words', 'report Q? --sources note.md --words -5', /--words .*-5/],
    [
      'an unknown way to cite',
      'report Q? --sources note.md --citations footnotes',
      /--citations .*"footnotes"; allowed: numbered, url/,
    ],
    [
      'an unknown fate of unsupported claims',
      'report Q? --sources note.md --unsupported hide',
      /--unsupported .*"hide"; allowed: mark, remove/,
    ],
    ['claims and a pass at once', 'show some-run --claims --pass 2', /--claims.*--pass/],
    ['an unknown engine', 'report Q? --sources note.md --engine magic', /--engine .*"magic"/],
    [
      'an id with a line break',
      'report Q? --sources note.md --id "a\nb"',
      /--id is "a\\nb": an id has 1–255 characters, none of them a control/,
    ],
    ['an output folder that is a file', 'report Q? --sources note.md --out note.md', /--out|note\.md/],
    ['again without an id', 'report Q? --sources note.md --again', /--again needs --id/],
    ['an id that is none', 'status ""', /ID is "": an id has at least one character/],
    ['one id to compare', 'diff x', /missing required argument 'after'/],
    [
      'ids to compare that are none',
      `diff "" "${'x'.repeat(1_001)}"`,
      /BEFORE is ""[\s\S]*AFTER is "x+…" \(1,001 characters\)/,
    ],
    ['a run compared with itself', 'diff x x', /Both ids are "x"/],
    ['a brief of nothing', 'brief Q?', /give --subtopics PATH, or --from/],
    ['a brief of itself', 'brief Q? --from a --id a', /a brief cannot be made of itself/],
    [
      'a brief of few words',
      'brief Q? --subtopics note.md --words 0',
      /--words is "0"; allowed: a whole number/,
    ],
    ['an unknown format', 'show x --format pdf', /Allowed choices are md, json/],
  ];

  test.each(mistakes)('%s is a usage error that names the mistake', async (_name, line, message) => {
    const result = await colligate(line);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/\n\s+at |Error: .*\n\s+at/);
    expect(result.stdout).toBe('');
    expect(result.code).toBe(2);
  });

  test('all mistakes of flags, environment and file are said at once', async () => {
    await project.write('wrong/colligate.config.json', {
      synthesis: { minTotalCitations: 'lots' },
      outdir: 'x',
    });
    const result = await colligate('report " " --sources missing --words 3 --id " a "', {
      cwd: path.join(project.folder, 'wrong'),
      env: { COLLIGATE_THREADS: 'none' },
    });
    expect(result.code).toBe(2);
    for (const mistake of 'QUESTION missing --words --id COLLIGATE_THREADS minTotalCitations outDir'.split(
      ' ',
    ))
      expect(result.stderr).toContain(mistake);
  });

  test('delete says what it cannot make of its words', async () => {
    for (const [given, why] of [
      ['', 'Say which runs to delete'],
      ['one --older-than 30d', 'not by both'],
      ['--older-than "a month"', '1d, 2w or 1h30m'],
      ['one --yes', '--yes belongs to --older-than'],
    ] as const) {
      const { code, stderr } = await colligate(`delete ${given}`);
      expect(code).toBe(2);
      expect(stderr).toContain(why);
    }
  });

  test('with --json a usage error is one JSON document', async () => {
    for (const line of ['report " " --sources note.md --json', 'lst --json', 'status --json']) {
      const { code, stdout } = await colligate(line);
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message: expect.stringMatching(/./) } });
    }
  });

  test('a server that was named and does not answer is exit code 3', async () => {
    const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
    for (const line of ['list', 'report Q? --sources note.md', 'doctor']) {
      const { code, stdout, stderr } = await colligate(line, { env });
      expect({ line, code }).toEqual({ line, code: 3 });
      expect(stderr + stdout).toMatch(/127\.0\.0\.1:1/);
    }
  });

  test('detaching needs a server and a worker that stay', async () => {
    const result = await colligate('report Q? --sources note.md --detach');
    expect(result.stderr).toMatch(/--detach needs a server and a worker[\s\S]*dev/);
    expect(result.code).toBe(2);
  });

  test('help reads on standard output, with an example for every command', async () => {
    const help = await colligate('--help');
    expect(help.code).toBe(0);
    const commands =
      'demo report answer stats status watch list show diff pause resume cancel delete server worker dev doctor';
    await Promise.all(
      commands.split(' ').map(async (command) => {
        expect(help.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
        const own = await colligate(`${command} --help`);
        expect(own.code).toBe(0);
        expect(own.stdout).toMatch(new RegExp(`Examples?:\\n  \\$ colligate ${command}`));
      }),
    );
  });

  test('the version is that of the package', async () => {
    const result = await colligate('--version');
    expect(result).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  });
});

describe('large inputs', () => {
  const { path: folder, saidOf } = useWorkingFolder();

  test.each(['many.json', 'many.jsonl'])('says how many observations of %s are too many', async (file) => {
    const texts = Array.from({ length: 200_000 }, (_, at) => `"Text ${at}."`);
    writeFileSync(join(folder(), file), file.endsWith('l') ? texts.join('\n') : `[${texts.join(',')}]`);
    expect(await saidOf(`answer Q? --observations ${file}`)).toBe(
      '--observations: there are 200,000 of them; at most 1,000 are taken. Give the others with --sources.',
    );
  });

  test('refuses a report that is too long before it is read', async () => {
    writeFileSync(join(folder(), 'long.md'), 'Rice is good [1].\n');
    truncateSync(join(folder(), 'long.md'), 100 * 1024 * 1024);
    expect(await saidOf('verify long.md --sources good.md')).toBe(
      'REPORT long.md: larger than 4 MB; verify its parts one by one.',
    );
  });
});
