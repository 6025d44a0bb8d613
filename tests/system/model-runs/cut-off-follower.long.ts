import { sectionsUnlikeReport, sectionTexts, type SectionText } from '../../../src/client';
import type { SpawnedCommand } from '../../cli/command-line-under-test';
import { followCutOff, problemsOfFollower } from '../../support/kills/follower';
import { openKillBench, type KillBench } from '../../support/kills/kill-bench';
import { NOTES } from '../../support/kills/material';
import { problemsOfLog } from '../../support/kills/run-record';
import { delta, goesSilent } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import {
  startModelServer,
  type Behaviour,
  type ModelServer,
  type RecordedRequest,
} from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { until } from '../../support/until';

const RUN = 'followed';
/** Small pieces of a stream, as servers send them. */
const PIECE = /[^]{1,60}/g;

let bench: KillBench;
let server: ModelServer;
/** The prompts of the sections that the model has fallen silent in. */
const silent: string[] = [];

/**
 * The good model, but three sections it leaves in the middle: the first of them twice, the second time in another order
 * of its paragraphs; the second once; the third twice, going on from where it was.
 */
function forgetfulModel(): (request: RecordedRequest) => Behaviour {
  const model = createGoodModel();
  const asks = new Map<string, number>();
  const left: string[] = [];
  return (request) => {
    const [system = '', user = ''] = messagesOf(request);
    const paragraphs = model.textFor(request).split('\n\n');
    if (stepOfPrompt(system, user) !== 'write-section') return model.answer(request);
    const ask = (asks.get(user) ?? 0) + 1;
    asks.set(user, ask);
    if (paragraphs.length >= 2 && left.length < 3 && !left.includes(user)) left.push(user);
    const place = left.indexOf(user);
    if (place < 0 || ask > (place === 1 ? 1 : 2)) return model.answer(request);
    silent.push(user);
    const written = place === 0 && ask === 2 ? [...paragraphs].reverse() : paragraphs;
    const whole = written.slice(0, ask).join('\n\n');
    return goesSilent((`${whole}\n\nIt goes on`.match(PIECE) ?? []).map((piece) => delta(piece)));
  };
}

beforeAll(async () => {
  bench = await openKillBench();
  server = await startModelServer(forgetfulModel());
  await bench.useModels(server);
});
afterAll(async () => {
  await bench.close();
  await server.close();
});

/** Until the model is silent in as many sections as are under way, and the log has what it said of them. */
async function standsStill(
  worker: SpawnedCommand,
  given: { silences: number; isTold: (texts: SectionText[]) => boolean },
): Promise<void> {
  await until(
    async () => {
      const texts = [...sectionTexts(await bench.stores.events.read(RUN)).values()];
      const told = texts.filter(({ text, isWritten }) => text !== '' && !isWritten);
      return { told, silences: silent.length, pending: await bench.pending(RUN) };
    },
    ({ told, silences, pending }) =>
      silences === given.silences &&
      given.isTold(told) &&
      pending.length === told.length &&
      pending.every(({ type, pid }) => type === 'writeSection' && pid === worker.pid),
  );
}

test('a follower of a run by a model that streams, cut off ten times while workers are killed, has the text of the report', async () => {
  const first = await bench.startWorker();
  const run = await bench.start(RUN, NOTES, 'openai');
  const follower = followCutOff(run, { seed: 7, early: 3, inTexts: 5 });
  await standsStill(first, { silences: 3, isTold: (texts) => texts.length === 3 });
  await first.kill();
  follower.cut();

  const second = await bench.startWorker();
  await standsStill(second, {
    silences: 5,
    isTold: (texts) =>
      texts.length === 2 &&
      texts.some(({ generation }) => generation === 2) &&
      texts.some(({ text }) => text.includes('\n\n')),
  });
  await second.kill();
  follower.cut();

  await bench.startWorker();
  const record = await bench.finished(RUN);
  const followed = await follower.ended;
  expect(followed.cuts).toHaveLength(10);
  expect(followed.cuts.filter(({ midText }) => midText).length).toBeGreaterThanOrEqual(6);
  expect(problemsOfLog(record)).toEqual([]);
  expect(problemsOfFollower(followed, record.events)).toEqual([]);
  // A section that is written may be told anew when its sentences were checked; what is counted came before that.
  const restarts = followed.events.filter(
    ({ type, payload }, at) =>
      type === 'section-restarted' &&
      !followed.events
        .slice(0, at)
        .some((event) => event.type === 'section-written' && event.payload.section === payload.section),
  );
  // In another order, and back in its own.
  expect(restarts).toHaveLength(2);
  expect(record.report.sections.length).toBeGreaterThanOrEqual(5);
  expect(sectionsUnlikeReport(sectionTexts(followed.events), record.report)).toEqual([]);
});
