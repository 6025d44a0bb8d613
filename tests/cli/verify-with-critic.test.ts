import { VerifiedReport } from '../../src/contracts/verification/verified-report';
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
  startModelServer,
  type ModelServer,
  type RecordedRequest,
} from '../model-server/model-server';
import { type CommandResult } from './command-line-under-test';
import { modelsAt, useProjectForEach } from './project-under-test';

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
  server = await startModelServer((request, index) => answer(request, index), { models: ['small', 'large'] });
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
  ['a limit that is no number', '--engine openai --max-tokens few', /few/, modelsAt('http://127.0.0.1:9/v1')],
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
])('an endpoint that is %s costs nothing that words tell: exit code 3', async (_how, behaviour, message) => {
  const answer = behaviour();
  const env = answer === null ? modelsAt('http://127.0.0.1:9/v1') : await serve(() => answer);
  const { code, stdout, stderr } = await verify(env, '--engine openai --out found.json');
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/sk-a-key|^\s+at /m);
  expect(stdout).toMatch(/^5 claims: 1 supported/);
  const written = VerifiedReport.parse(JSON.parse(await project.read('found.json')));
  expect(written.critic).toMatchObject({ claims: 0, unasked: 4, ended: { by: 'endpoint' } });
});

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
