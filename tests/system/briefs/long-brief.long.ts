import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Brief } from '../../../src/contracts/brief/brief';
import {
  newProjectFolder,
  processesOf,
  runCommand,
  spawnCommand,
  type SpawnedCommand,
} from '../../cli/command-line-under-test';
import { answers } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { startModelServer, type ModelServer } from '../../model-server/model-server';
import { countedBrief, type GivenSubtopic } from '../../support/brief-to-the-letter';
import { describeWithData, sharedFile } from '../../support/shared-data';

const ROOT = path.resolve(__dirname, '../../..');
const QUESTION = 'What do exercise, diet and supplements do for health, weight and physical fitness?';
const WORDS = 10_000;

describeWithData(['studies/sources.jsonl'], 'a brief of 10,000 words from twelve subtopics', () => {
  let folder: string;
  let dev: SpawnedCommand;
  let server: ModelServer;
  let subtopics: GivenSubtopic[];

  beforeAll(async () => {
    const model = createGoodModel();
    // The command asks first whether anybody is there.
    server = await startModelServer((request) =>
      messagesOf(request).includes('Answer with the word yes.') ? answers('yes') : model.answer(request),
    );
    folder = await newProjectFolder();
    const file = path.join(folder, 'subtopics.json');
    const script = ['scripts/eval.mjs', 'briefs', sharedFile(''), '--write', file];
    await promisify(execFile)(process.execPath, script, { cwd: ROOT });
    // The script that was just run wrote them.
    ({ subtopics } = JSON.parse(await readFile(file, 'utf8')) as { subtopics: GivenSubtopic[] });
    const openai = { baseUrl: server.baseUrl, models: { fast: 'small', strong: 'large' } };
    await writeFile(path.join(folder, 'colligate.config.json'), JSON.stringify({ openai }));
    dev = spawnCommand(['dev'], { cwd: folder });
    await dev.said(/Worker /);
  });
  afterAll(async () => {
    dev.child.kill('SIGTERM');
    await dev.ended;
    await server.close();
    expect(await processesOf(folder)).toEqual([]);
  });

  it.each(['extractive', 'openai'])(
    'has the length, every subtopic once, unchanged numbers and whole citations, by the %s engine',
    async (engine) => {
      const options = `--subtopics subtopics.json --words ${WORDS} --engine ${engine} --id ${engine}`;
      const asked = ['brief', QUESTION, ...options.split(' ')];
      const { code, stderr } = await runCommand(asked, { cwd: folder });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      const fileOf = (name: string): Promise<string> =>
        readFile(path.join(folder, 'reports', engine, name), 'utf8');
      const counted = countedBrief(await fileOf('report.md'), subtopics);
      expect(counted).toMatchObject({
        subtopicsMissing: [],
        toldTwice: [],
        numbersElsewhere: [],
        citationsWrong: [],
        citedElsewhere: [],
      });
      expect(Math.abs(counted.words - WORDS)).toBeLessThanOrEqual(0.15 * WORDS);
      // Most sentences are compared with a summary's, or the figures above say nothing.
      expect(counted.wordForWord).toBeGreaterThan(0.8 * counted.sentences);
      const brief = Brief.parse(JSON.parse(await fileOf('report.json')));
      expect(brief.metadata.qualityCheck).toMatchObject({ passes: true, wordCount: counted.words });
      expect(brief.length.isReached).toBe(true);
      expect(brief.judge?.passed).toBe(engine === 'openai' ? true : undefined);
    },
  );
});
