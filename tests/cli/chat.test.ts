import path from 'node:path';
import { hangs } from '../model-server/behaviours';
import { startModelServer } from '../model-server/model-server';
import { until } from '../support/until';
import {
  newProjectFolder,
  STAYS_OPEN,
  type CommandResult,
  type RunningCommand,
} from './command-line-under-test';
import { writeNotes } from './notes';
import { modelsAt, useDevProject } from './project-under-test';

const { colligate, start } = useDevProject();

test('chat answers line by line, lists its sources, and stops at /quit', async () => {
  const input =
    'Does yoga improve sleep quality?\n\n/sources\n/unknown\nDoes tai chi bring insomnia to remission?\n/quit\nNever asked?\n';
  const { code, stdout, stderr } = await colligate('chat --sources notes --conversation talk', { input });
  expect(code).toBe(0);
  expect(stdout).toMatch(/Yoga improved sleep quality scores by 2\.1 points/);
  expect(stdout).toMatch(
    /^ {2}\[1\] Yoga and sleep quality in office workers · https:\/\/journal\.example\/4$/m,
  );
  expect(stdout).toMatch(/^ {2}Tai chi and sleep in cancer survivors · https:\/\/journal\.example\/6$/m);
  expect(stdout).toMatch(/Insomnia remission was 46 % after tai chi/);
  expect(stdout).not.toContain('Never asked');
  expect(stderr).toContain('There is no /unknown: /sources and /quit are there.');

  // The sources are not named again: the conversation has them.
  const goesOn = 'chat --conversation talk';
  const next = await colligate(goesOn, { input: 'Does morning exercise shorten sleep onset?\n' });
  expect(next.code).toBe(0);
  expect(next.stdout).toMatch(/morning exercise shortened sleep onset latency by 9 minutes/i);

  expect(await colligate('delete conversation:talk')).toMatchObject({ code: 0 });
  const forgotten = await colligate(goesOn);
  expect(forgotten).toMatchObject({ code: 2, stdout: '' });
  expect(forgotten.stderr).toContain('nobody has asked anything under this id');
});

test('a conversation about nothing is refused', async () => {
  const { code, stderr } = await colligate('chat');
  expect(code).toBe(2);
  expect(stderr).toContain('There is nothing to talk about');
});

test('Ctrl-C where nothing is under way says that another leaves, and the other leaves', async () => {
  const chat = start('chat --sources notes', { input: STAYS_OPEN });
  await chat.said(/Conversation /);
  chat.stop();
  await chat.said(/Ctrl-C again leaves/);
  const { code, stderr } = await pressedUntilEnded(chat);
  expect(code).toBe(130);
  expect(stderr).toContain('To go on with it');
});

test('Ctrl-C cancels the answer under way, and the conversation goes on', async () => {
  const model = await startModelServer(() => hangs(), { models: ['small', 'large'] });
  const other = await newProjectFolder();
  await writeNotes(path.join(other, 'notes'));
  const chat = start('chat --sources notes', {
    cwd: other,
    env: { ...modelsAt(model.baseUrl), COLLIGATE_TASK_QUEUE: 'other' },
    input: STAYS_OPEN,
  });
  try {
    await chat.said(/Conversation /);
    chat.input.write('Does yoga improve sleep quality?\n');
    await until(
      () => Promise.resolve(model.asked.length),
      (asked) => asked > 0,
    );
    chat.stop();
    await chat.said(/no answer could be written\)\nWhy: The request was cancelled/);
    chat.input.end('/sources\n');
    const { code, stdout } = await chat.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Tai chi and sleep in cancer survivors');
  } finally {
    await model.close();
  }
});

/** A second signal that follows soon is taken for the same key press. */
async function pressedUntilEnded(command: RunningCommand): Promise<CommandResult> {
  let hasEnded = false;
  void command.ended.then(() => (hasEnded = true));
  await until(
    () => {
      if (!hasEnded) command.stop();
      return Promise.resolve(hasEnded);
    },
    (ended) => ended,
  );
  return command.ended;
}
