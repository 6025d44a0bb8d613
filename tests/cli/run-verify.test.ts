import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { createColors } from 'picocolors';
import { formatVerifiedReport } from '../../src/cli/run-verify';
import { VerifiedReport } from '../../src/contracts/verified-report';
import { withoutAnnotations } from '../../src/report/annotate-report';
import { refuses } from '../model-server/behaviours';
import {
  type AskedSentence,
  createCritic,
  type Judged,
  type ShownQuotes,
  type TestCritic,
} from '../model-server/critic';
import {
  type Behaviour,
  type ModelServer,
  type RecordedRequest,
  startModelServer,
} from '../model-server/model-server';
import { type CommandResult, newProjectFolder, runCommand } from './command-line-under-test';
import { modelsAt, useProject, useProjectForEach } from './project-under-test';

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
    const printed = formatVerifiedReport(VerifiedReport.parse(JSON.parse(stdout)), {
      width: 150,
      colours: createColors(false),
    });
    expect(printed.join('\n')).toMatch(new RegExp(`^${escaped(shown?.trimEnd() ?? 'none')}`));
  });

  test('a narrow terminal has each reason whole, below its claim', async () => {
    const { stdout } = await verify('report.md --sources notes --json');
    const report = VerifiedReport.parse(JSON.parse(stdout));
    const lines = formatVerifiedReport(report, { width: 80, colours: createColors(false) });
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

describe('verify with critic', () => {
  const SLEEP = `---
title: Evening walking and sleep
url: https://example.org/sleep
date: 2017
---
Total sleep time increased by 38 minutes in the exercise group. Walking did not reduce daytime sleepiness. The trial had
64 older adults who walked for 12 weeks in Norway.
`;
  const YOGA = `---
title: Yoga, in the office
url: https://example.org/yoga
---
Yoga improved the sleep quality scores of 120 office workers in India by 2.1 points. None of them left the study.
`;
  /** Copied, told freely, invented, and one of which the second half is the other source's. */
  const COPIED = 'Total sleep time increased by 38 minutes in the exercise group';
  const FREE = 'People who went for walks before bed gained over half an hour of sleep each night';
  const INVENTED = 'Walking in the evening was popular with the families of the participants';
  const LOST = 'Norwegian seniors slept longer after walks, and 120 Indian office workers did with yoga';
  const REPORT = `# On sleep

${COPIED} [1]. ${FREE} [1].

${INVENTED} [1]. ${LOST} [1]. ${FREE} [1].

## Sources

1. “Evening walking and sleep.” <https://example.org/sleep>
2. “Yoga, in the office.” <https://example.org/yoga>
`;

  const PRICES = { openai: { prices: { large: { input: 1, output: 10 } } } };

  const REFUSED: Judged = {
    verdict: 'unsupported',
    quotes: [],
    reason: 'The source does not speak of families.',
  };

  /** Right about the four. */
  function rightly({ text, sources }: AskedSentence, quotes: ShownQuotes): Judged | null {
    const said = (words: string): Judged['quotes'] =>
      sources.flatMap((source) =>
        quotes.get(source)?.includes(words) === true ? [{ source, quote: words }] : [],
      );
    if (text.startsWith(FREE))
      return { verdict: 'supported', quotes: said('Total sleep time increased by 38 minutes') };
    if (text.startsWith(INVENTED)) return REFUSED;
    if (!text.startsWith(LOST)) return null;
    const parts = [
      said('64 older adults who walked for 12 weeks'),
      said('120 office workers in India by 2.1 points'),
    ].flat();
    return parts.length === 2
      ? { verdict: 'supported', quotes: parts }
      : { verdict: 'partial', quotes: parts, reason: 'The quotes do not tell of yoga.' };
  }

  let server: ModelServer | null = null;

  const project = useProjectForEach(async ({ write }) => {
    await write('notes/sleep.md', SLEEP);
    await write('notes/yoga.md', YOGA);
    await write('report.md', REPORT);
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  async function serve(
    answer: (request: RecordedRequest, index: number) => Behaviour,
  ): Promise<Record<string, string>> {
    server = await startModelServer((request, index) => answer(request, index), {
      models: ['small', 'large'],
    });
    return modelsAt(server.baseUrl);
  }

  const serveCritic = (critic: TestCritic): Promise<Record<string, string>> =>
    serve((request) => critic.answer(request));

  function verify(env: Record<string, string>, flags = ''): Promise<CommandResult> {
    return project.colligate(`verify report.md --sources notes ${flags}`, { env });
  }

  const reportOf = ({ stdout }: CommandResult): VerifiedReport => VerifiedReport.parse(JSON.parse(stdout));

  async function found(env: Record<string, string>): Promise<VerifiedReport> {
    return reportOf(await verify(env, '--engine openai --json'));
  }

  function verdictsOf({ claims }: VerifiedReport): string[] {
    return claims.map(({ verdict, code }) => `${verdict} ${code}`);
  }

  test('without an engine the first line says how many words cannot tell, and each has its probability beside it', async () => {
    const { stdout } = await verify({});
    expect(stdout).toMatch(
      /^5 claims: 1 supported, .*; [34] of 5 cannot be told by words\. 0 statements cite nothing\.\n/,
    );
    expect(stdout).toMatch(/^5 +unchecked 0\.\d\d +Walking in the evening/m);
  });

  test('a configured endpoint alone costs nothing: only a named engine is asked', async () => {
    const env = await serve(() => refuses(500));
    const { code, stdout } = await verify(env, `--json`);
    expect(code).toBe(0);
    expect(VerifiedReport.parse(JSON.parse(stdout)).critic).toBeNull();
    expect(server?.requests).toHaveLength(0);
  });

  test('calls, tokens and money are told, and a second time nothing is asked', async () => {
    const critic = createCritic(rightly);
    const env = await serve((request) =>
      critic.answer(request, { usage: { prompt_tokens: 2_000, completion_tokens: 300 } }),
    );
    await project.write('colligate.config.json', PRICES);
    const first = await verify(env, '--engine openai');
    const calls = critic.asked.length;
    expect(calls).toBe(2);
    expect(first.stdout.split('\n')[1]).toBe(
      'A critic, large, was asked about 4 claims: 2 calls, 4,000 tokens in, 600 out, $0.0100.',
    );
    const second = await verify(env, '--engine openai');
    expect(critic.asked).toHaveLength(calls);
    expect(second.stdout.split('\n')[1]).toBe(
      'A critic, large, was asked about 4 claims: 0 calls, 2 answers kept from before, 0 tokens in, 0 out, $0.0000.',
    );
    const claims = ({ stdout }: CommandResult): string => stdout.split('\n').slice(2).join('\n');
    expect(claims(second)).toBe(claims(first));
  });

  test('what a critic confirms without a quote, or says nothing of, stays as words have it', async () => {
    const byWords = reportOf(await verify({}, '--json'));
    const env = await serveCritic(
      createCritic(({ text }) => (text.startsWith(FREE) ? { verdict: 'supported', quotes: [] } : null)),
    );
    const report = await found(env);
    expect(report.claims).toEqual(byWords.claims);
  });

  test.each([
    ['an engine that is none', '--engine oracle', /oracle.*allowed: extractive, openai/],
    ['an engine without an endpoint', '--engine openai', /engine.*OPENAI_BASE_URL/],
    ['a limit without an engine', '--max-tokens 1000', /name one with --engine/],
    ['a limit for words alone', '--engine extractive --max-cost 1', /name one with --engine/],
    [
      'a limit that is no number',
      '--engine openai --max-tokens few',
      /few/,
      modelsAt('http://127.0.0.1:9/v1'),
    ],
  ])('%s is a usage error', async (_what, flags, message, env = {}) => {
    const { code, stdout, stderr } = await verify(env, flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test.each([
    ['away', () => null, /The critic ended early\..*It was not asked about 4 of the claims/s],
    [
      'refusing the key',
      () => refuses(401, { message: 'Incorrect API key provided' }),
      /API key.*not asked about 4/s,
    ],
  ])(
    'an endpoint that is %s costs nothing that words tell: exit code 3',
    async (_how, behaviour, message) => {
      const answer = behaviour();
      const env = answer === null ? modelsAt('http://127.0.0.1:9/v1') : await serve(() => answer);
      const { code, stdout, stderr } = await verify(env, '--engine openai --out found.json');
      expect(code).toBe(3);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/sk-a-key|^\s+at /m);
      expect(stdout).toMatch(/^5 claims: 1 supported/);
      const written = VerifiedReport.parse(JSON.parse(await project.read('found.json')));
      expect(written.critic).toMatchObject({ claims: 0, unasked: 4, ended: { by: 'endpoint' } });
    },
  );

  test('an endpoint that goes away in the middle loses nothing: what it answered stands, and is not asked again', async () => {
    const critic = createCritic(rightly);
    let isAway = true;
    const env = await serve((request, index) =>
      isAway && index > 0 ? refuses(401, { message: 'Incorrect API key provided' }) : critic.answer(request),
    );
    const first = await verify(env, '--engine openai --json');
    expect(first.code).toBe(3);
    expect(verdictsOf(reportOf(first))).toContain('partial critic');
    isAway = false;
    const report = await found(env);
    expect(verdictsOf(report)).toContain('partial misattributed');
    expect(critic.asked).toHaveLength(2);
    expect(report.critic?.usage).toMatchObject({ calls: 1, cachedCalls: 1 });
  });

  test('no question follows once the budget is spent, and what was decided stands', async () => {
    const critic = createCritic(rightly);
    const env = await serve((request) =>
      critic.answer(request, { usage: { prompt_tokens: 9_000, completion_tokens: 900 } }),
    );
    const { code, stdout, stderr } = await verify(env, '--engine openai --max-tokens 9000 --json');
    const report = VerifiedReport.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(critic.asked).toHaveLength(1);
    expect(verdictsOf(report)).toContain('partial critic');
    expect(report.critic).toMatchObject({ claims: 4, unasked: 0, ended: { by: 'budget' } });
    expect(stderr).toMatch(/asked about every claim, and not where else/);
  });
});
