import path from 'node:path';
import { Answer } from '../../src/contracts/answer/answer';
import { AnswerStatistics } from '../../src/contracts/answer/answer-statistics';
import {
  buildCommandLine,
  newProjectFolder,
  runCommand,
  startCommand,
  type CommandResult,
  type RunningCommand,
} from './command-line-under-test';
import { writeNotes } from './notes';

let folder: string;
let dev: RunningCommand;

beforeAll(async () => {
  await buildCommandLine();
  folder = await newProjectFolder();
  await writeNotes(path.join(folder, 'notes'));
  dev = startCommand(['dev'], { cwd: folder });
  await dev.said(/Worker /);
});

afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
});

const colligate = (...args: string[]): Promise<CommandResult> => runCommand(args, { cwd: folder });
const statistics = async (): Promise<AnswerStatistics> =>
  AnswerStatistics.parse(JSON.parse((await colligate('stats', '--json')).stdout));

test('stats counts the answers that are kept, and no reports', async () => {
  expect((await colligate('stats')).stderr).toMatch(/There are no answers yet\. Ask with: /);
  expect(await statistics()).toMatchObject({ answers: 0, meanConfidence: null, medianLatencyMs: null });

  await colligate('report', 'Does exercise improve sleep?', '--sources', 'notes');
  const ask = async (question: string, id: string): Promise<Answer> =>
    Answer.parse(
      JSON.parse((await colligate('answer', question, '--sources', 'notes', '--id', id, '--json')).stdout),
    );
  const answers = [
    await ask('Does yoga improve sleep quality?', 'yoga'),
    await ask('Does exercise change total sleep time?', 'time'),
    await ask('Which tyre pressure saves most fuel in heavy lorries?', 'tyres'),
  ];
  const synthesised = answers.filter(({ synthesisMode }) => synthesisMode);
  const counted = await statistics();
  expect(counted).toMatchObject({
    answers: 3,
    synthesis: { answers: synthesised.length, activationRate: synthesised.length / 3 },
  });
  expect(counted.byOutcome['insufficient']).toBe(1);
  expect(counted.medianLatencyMs).toBe(answers.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)[1]);
  expect((await colligate('stats')).stdout).toMatch(/^Answers +3$[\s\S]*^Synthesis mode +\d \(\d+ % of all/m);

  await colligate('delete', 'tyres');
  expect((await statistics()).byOutcome).toEqual({ answered: 2 });
});
