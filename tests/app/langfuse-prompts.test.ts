import type { ServerResponse } from 'node:http';
import type { PromptedStep, PromptSource } from '../../src/activities/external-ports';
import { loadConfig } from '../../src/app/config';
import type { ConfigFlags } from '../../src/app/config-sources';
import { openPrompts } from '../../src/app/langfuse-prompts';
import { answer } from '../../src/steps/answer-question';
import { templateVariables } from '../../src/steps/step';
import { langfuseEnvironment, type OutsideReceiver, startOutsideReceiver } from '../support/outside-receiver';
import { SYNTHESIS_PROMPT } from '../support/synthesis-prompt';

const SYSTEM = 'Read what stands between the marks {{mark}}.';
const OUTLINE: PromptedStep = {
  name: 'outline',
  template: { system: SYSTEM, user: '{{sources}} Plan: {{question}}' },
};
const ANSWER: PromptedStep = { name: 'answer', template: { system: SYSTEM, user: 'Answer {{question}}' } };

let langfuse: OutsideReceiver;
let outside: AbortController;
beforeEach(async () => {
  langfuse = await startOutsideReceiver();
  outside = new AbortController();
});
afterEach(() => langfuse.close());

async function open(flags: ConfigFlags = {}, tables: object = {}): Promise<PromptSource> {
  const { prompts, langfuse: access } = loadConfig({
    cwd: '/',
    env: langfuseEnvironment(langfuse),
    flags: { 'prompts.provider': 'langfuse', 'prompts.timeoutMs': 60_000, ...flags },
  });
  const source = await openPrompts({ prompts: { ...prompts, ...tables }, langfuse: access });
  if (source === null) throw new Error('The settings name a source of prompts');
  return source;
}

function keep(
  version: number,
  prompt: string | unknown[],
  given: { name?: string; labels?: string[] } = {},
): void {
  langfuse.prompts.push({ name: 'outline', labels: ['production'], version, prompt, ...given });
}

test('a text prompt replaces the user message and keeps the rules on sources', async () => {
  keep(3, 'Mine. {{ sources }} {{question}}', { labels: ['production', 'latest'] });
  const { prompts, warnings } = await (await open()).resolve([OUTLINE, ANSWER], outside.signal);
  expect(prompts).toEqual({
    outline: {
      name: 'outline',
      version: '3',
      labels: ['production', 'latest'],
      from: 'langfuse',
      template: { system: SYSTEM, user: 'Mine. {{ sources }} {{question}}' },
    },
  });
  expect(warnings).toEqual([]);
});

test('a chat has its own system message', async () => {
  keep(1, [
    { role: 'system', content: 'Material is in {{mark}}.' },
    { role: 'user', content: '{{sources}}' },
    { role: 'user', content: 'Plan for {{question}}' },
  ]);
  const { prompts } = await (await open()).resolve([OUTLINE], outside.signal);
  expect(prompts['outline']?.template).toEqual({
    system: 'Material is in {{mark}}.',
    user: '{{sources}}\n\nPlan for {{question}}',
  });
});

test.each<[string, string | unknown[], string]>([
  [
    'names what there is not',
    '{{sources}} {{question}} {{observations}}',
    'names observations, which the step does not offer',
  ],
  ['leaves material out', 'Plan for {{question}}', 'leaves out sources'],
  ['has a loop', '{{sources}} {{question}} {{#each}}', 'names {{#each}}, which the step does not offer'],
  ['answers itself', [{ role: 'assistant', content: 'Yes.' }], 'has a message of the role assistant'],
  ['has a placeholder', [{ type: 'placeholder', name: 'history' }], 'has a placeholder (history)'],
  ['has no question', [{ role: 'system', content: '{{mark}}' }], 'has no message of the user'],
])('a prompt that %s is not used, and the warning says why', async (_what, prompt, why) => {
  keep(7, prompt);
  const { prompts, warnings } = await (await open()).resolve([OUTLINE], outside.signal);
  expect(prompts).toEqual({});
  expect(warnings).toEqual([
    {
      code: 'prompt-refused',
      message: expect.stringContaining(`Version 7 of Langfuse's prompt outline ${why}`),
    },
  ]);
});

test('the label says which version is taken, a version and a name of the settings come before it', async () => {
  keep(1, 'One {{sources}} {{question}}', { labels: ['dev'] });
  keep(2, 'Two {{sources}} {{question}}');
  keep(9, 'Nine {{question}}', { name: 'synthesis', labels: [] });
  const dev = await open({ 'prompts.label': 'dev' });
  expect((await dev.resolve([OUTLINE], outside.signal)).prompts['outline']?.version).toBe('1');
  const pinned = await open({}, { versions: { outline: 1, answer: 9 }, names: { answer: 'synthesis' } });
  const { prompts } = await pinned.resolve([OUTLINE, ANSWER], outside.signal);
  expect(prompts['outline']?.version).toBe('1');
  expect(prompts['answer']).toMatchObject({ name: 'synthesis', version: '9' });
  const latest = await open({}, { versions: { outline: null } });
  expect((await latest.resolve([OUTLINE], outside.signal)).prompts['outline']?.version).toBe('2');
});

test('document 001’s prompt is found under its name, filled by its variables, and followed by the form of an answer', async () => {
  keep(2, SYNTHESIS_PROMPT, { name: 'synthesis' });
  const { prompts, warnings } = await (await open()).resolve([answer], outside.signal);
  expect(warnings).toEqual([]);
  const { name, version, template = answer.template } = prompts['answer'] ?? {};
  expect({ name, version }).toEqual({ name: 'synthesis', version: '2' });
  const own = SYNTHESIS_PROMPT.replace('query', 'question').replace('observations}', 'passages}');
  expect(template.user.startsWith(`${own}\n\n`)).toBe(true);
  expect(templateVariables(template).sort()).toEqual(templateVariables(answer.template).sort());
});

test('the step’s own name comes before the document’s, a name of the settings before both', async () => {
  keep(1, SYNTHESIS_PROMPT, { name: 'synthesis' });
  keep(5, SYNTHESIS_PROMPT, { name: 'answer' });
  keep(9, 'Say of {{query}} what {{observations}} say.', { name: 'mine' });
  const taken = async (tables: object = {}): Promise<string | undefined> =>
    (await (await open({}, tables)).resolve([answer], outside.signal)).prompts['answer']?.version;
  expect(await taken()).toBe('5');
  expect(await taken({ names: { answer: 'mine' } })).toBe('9');
  expect(await taken({ names: { answer: 'none' } })).toBeUndefined();
});

test('a prompt for an answer that leaves out its material is refused, whatever it leaves to the form', async () => {
  keep(3, 'Answer {{query}}.', { name: 'synthesis' });
  const { prompts, warnings } = await (await open()).resolve([answer], outside.signal);
  expect(prompts).toEqual({});
  expect(warnings[0]?.message).toContain("prompt synthesis leaves out passages; the program's own is used");
});

test('a version, or a label, that there is not is told', async () => {
  const pinned = await open({}, { versions: { outline: 5 } });
  expect((await pinned.resolve([OUTLINE], outside.signal)).warnings).toContainEqual({
    code: 'prompt-missing',
    message: "Langfuse has no version 5 of prompt outline; the program's own is used.",
  });
  const misspelled = await open({ 'prompts.label': 'prodution' });
  expect((await misspelled.resolve([OUTLINE, ANSWER], outside.signal)).warnings).toEqual([
    { code: 'prompts-missing', message: expect.stringContaining('the label prodution') },
  ]);
});

test('a step that there is not is a mistake of the settings', async () => {
  await expect(open({}, { versions: { outlin: 5 } })).rejects.toThrow(
    /prompts\.versions \(file\) is outlin; allowed: .*outline/,
  );
});

test('a prompt is fetched once within the time that it counts as the newest', async () => {
  keep(1, 'One {{sources}} {{question}}');
  const source = await open();
  await source.resolve([OUTLINE], outside.signal);
  await source.resolve([OUTLINE], outside.signal);
  expect(langfuse.requests).toHaveLength(1);

  const fresh = await open({ 'prompts.cacheTtlMs': 0 });
  await fresh.resolve([OUTLINE], outside.signal);
  langfuse.prompts = [];
  keep(2, 'Two {{sources}} {{question}}');
  expect((await fresh.resolve([OUTLINE], outside.signal)).prompts['outline']?.version).toBe('2');
});

describe('a Langfuse that is away', () => {
  const faults: [string, (response: ServerResponse) => unknown, string][] = [
    ['answers nothing', () => undefined, 'does not answer'],
    ['never ends its answer', (response) => response.writeHead(200).write('{"type":'), 'does not answer'],
    ['fails', (response) => response.writeHead(500).end('canary'), 'it answers 500'],
    ['is something else', (response) => response.end('<html>'), 'is none'],
    ['refuses the keys', (response) => response.writeHead(401).end('{}'), 'it answers 401'],
    ['gives no prompt', (response) => response.end('{"type":"text"}'), 'is none'],
  ];

  test.each(faults)('that %s costs its time limit once, and one warning', async (what, behave, why) => {
    langfuse.behave = behave;
    const answers = !what.startsWith('answers nothing') && !what.startsWith('never');
    const source = await open({ 'prompts.timeoutMs': answers ? 20_000 : 300 });
    const first = await source.resolve([OUTLINE, ANSWER], outside.signal);
    expect(first.prompts).toEqual({});
    expect(first.warnings).toEqual([{ code: 'prompts-away', message: expect.stringContaining(why) }]);
    expect(JSON.stringify(first)).not.toContain('canary');
    // Once for each prompt.
    expect(langfuse.requests).toHaveLength(2);

    const second = await source.resolve([OUTLINE, ANSWER], outside.signal);
    expect(langfuse.requests).toHaveLength(2);
    expect(second.warnings).toEqual(first.warnings);
  });

  test('leaves what it gave before', async () => {
    keep(4, 'Four {{sources}} {{question}}');
    const source = await open({ 'prompts.cacheTtlMs': 0 });
    await source.resolve([OUTLINE], outside.signal);
    await langfuse.close();
    const { prompts } = await source.resolve([OUTLINE], outside.signal);
    expect(prompts['outline']?.version).toBe('4');
  });

  test('does not hold who gives up', async () => {
    langfuse.behave = () => undefined;
    const source = await open({ 'prompts.timeoutMs': 3_000 });
    const resolving = source.resolve([OUTLINE], outside.signal);
    const reason = new Error('the activity is cancelled');
    outside.abort(reason);
    await expect(resolving).rejects.toBe(reason);
  });
});

test('built-in prompts fetch nothing', async () => {
  const config = loadConfig({ cwd: '/', env: langfuseEnvironment(langfuse) });
  expect(await openPrompts(config)).toBeNull();
  expect(langfuse.requests).toEqual([]);
});
