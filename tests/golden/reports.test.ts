import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNotes } from '../cli/notes';
import { answers, answersJson } from '../model-server/behaviours';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { stepOfPrompt } from '../model-server/prompt-material';
import { forAllTests } from '../support/for-all-tests';
import { articlePage } from '../support/search-site';
import { until } from '../support/until';
import { orderOf, PLACES, WAYS, withOrder } from '../system/model-injection/hidden-orders';
import { createObedientModel } from '../system/model-injection/obedient-model';
import { expectGolden, pageOutline } from './golden';
import { openGoldenBench, VITAMIN_D } from './golden-bench';

const golden = forAllTests(() => openGoldenBench(['by-model', 'weekly', 'searching', 'partial', 'planted']));
const good = createGoodModel();

afterEach(() => golden.respond());

/** A folder with the first notes on vitamin D. */
function firstNotes(name: string, count: number, change = (note: string): string => note): Promise<string> {
  return golden.sources(name, async (path) => {
    const notes = (await readdir(VITAMIN_D)).sort().slice(0, count);
    for (const note of notes)
      await writeFile(join(path, note), change(await readFile(join(VITAMIN_D, note), 'utf8')));
  });
}

test('a report by a model', async () => {
  const question = 'Does vitamin D supplementation improve health outcomes in adults?';
  const paths = [await firstNotes('by-model', 12)];
  expectGolden('report-by-model', await golden.report('by-model', { question, sources: { paths } }));
});

test('the demo', async () => {
  const printed = await golden.print(['demo', '--out', 'demo']);
  const [id = ''] = await readdir(join(golden.folder, 'demo'));
  const files = {
    'printed.txt': printed,
    'report.md': await golden.read(`demo/${id}/report.md`),
    'report.json': JSON.parse(await golden.read(`demo/${id}/report.json`)) as unknown,
    'report.html.txt': pageOutline(await golden.read(`demo/${id}/report.html`)),
  };
  expectGolden('demo', files, { [id]: 'demo' });
});

/** Gives one note another number, deletes one and adds one. */
async function changeNotes(folder: string): Promise<void> {
  const corrected = join(folder, 'note-1.md');
  await writeFile(corrected, (await readFile(corrected, 'utf8')).replace('38 minutes', '51 minutes'));
  await rm(join(folder, 'note-8.md'));
  await writeFile(
    join(folder, 'note-9.md'),
    '---\ntitle: "Exercise at weekends and sleep"\nurl: https://journal.example/9\nauthor: "Jane Doe"\ndate: 2021\n---\n\n' +
      'This cohort study followed 700 adults in Chile for 3 years. Exercise at weekends was associated with a 12 % lower risk of insomnia.\n',
  );
}

test('the second firing of a schedule, and its difference from the first', async () => {
  const { colligate, client } = golden.bench;
  const folder = await golden.sources('scheduled', writeNotes);
  const { asOf: _asOf, ...byModel } = golden.byModel('weekly');
  const question = 'What does exercise do to sleep?';
  const schedule = await colligate.createSchedule({
    name: 'weekly',
    times: { cron: '0 9 1 1 *' },
    run: { report: { question, sources: { paths: [folder] }, ...byModel } },
  });
  const fire = async (nth: number): Promise<string> => {
    // The server skips a firing while it believes that the last one is running, and names firings by the second.
    await until(
      async () => (await client.schedule.getHandle('weekly').describe()).info,
      ({ runningActions, recentActions }) =>
        runningActions.length === 0 && Date.now() - (recentActions.at(-1)?.takenAt.getTime() ?? 0) > 1_000,
    );
    await schedule.trigger();
    const { firings } = await until(
      () => schedule.describe(),
      (now) => now.firings.length === nth && now.firings[0]?.status === 'completed',
    );
    return firings[0]?.runId ?? '';
  };
  const first = await fire(1);
  await changeNotes(folder);
  const second = await fire(2);
  await schedule.delete();
  const ids = { [first]: 'first-firing', [second]: 'second-firing' };
  expectGolden('schedule', await golden.filesOf(second), ids);
  const diff = {
    'diff.md': await golden.print(['diff', first, second]),
    'diff.json': await colligate.diff(first, second),
  };
  expectGolden('diff', diff, ids);
});

test('a report that searches for its sources', async () => {
  const { site } = golden;
  const trial = [
    'Walking for 30 minutes a day improved sleep quality in 120 older adults.',
    'Sleep efficiency rose by 7 percent in the older adults who walked, and did not change in the others.',
  ];
  const cohort = [
    'Evening walks had no effect on sleep in 300 older adults who slept well before.',
    'The cohort was followed for two years, and walking was measured by pedometers.',
  ];
  site.pages.set('/pages/trial', articlePage('Walking and sleep: a trial', trial));
  site.pages.set('/pages/cohort', articlePage('Evening walks and sleep in a cohort', cohort));
  site.pages.set('/pages/private', 403);
  site.openalex = [
    { title: 'Walking and sleep: a trial', page: '/pages/trial', doi: '10.1000/trial', author: 'Ada Ng' },
    { title: 'Sleep behind a wall', page: '/pages/private', doi: '10.1000/private', author: 'C. Closed' },
  ];
  site.searxng = [
    { title: 'A trial of walking and sleep', page: '/pages/trial?utm_source=index', doi: '10.1000/TRIAL' },
    {
      title: 'Evening walks and sleep in a cohort',
      page: '/pages/cohort',
      abstract: 'Evening walks and sleep.',
    },
  ];
  const onQuestion = createGoodModel({ onQuestion: true });
  golden.respond((request) =>
    messagesOf(request).some((text) => text.startsWith('You plan what indexes'))
      ? answersJson({ queries: ['walking older adults sleep', 'sleep improve walking'] })
      : onQuestion.answer(request),
  );
  const indexes = (['openalex', 'searxng'] as const).map((name) => ({
    name,
    settings: { url: `${site.url}/${name}`, contact: null },
  }));
  const question = 'Does walking improve sleep in older adults?';
  expectGolden('search', await golden.report('searching', { question, search: { indexes } }));
});

test('a partial report: the model refuses to check findings and to write, so that findings are quoted', async () => {
  golden.respond((request) => {
    const step = stepOfPrompt(...messagesOf(request));
    return step === 'cross-check' || step === 'write-text'
      ? answers('I cannot help with that.')
      : good.answer(request);
  });
  const question = 'How does exercise change sleep?';
  const paths = [await golden.sources('partial', writeNotes)];
  expectGolden('partial', await golden.report('partial', { question, sources: { paths } }));
});

test('planted instructions, with a model that obeys them', async () => {
  const file = await readFile(join(__dirname, '../support/hidden-instructions.json'), 'utf8');
  const { instructions } = JSON.parse(file) as { instructions: string[] };
  const planted = instructions.filter((_, at) => at % 5 === 0);
  let at = 0;
  const folder = await firstNotes('planted', planted.length, (note) => {
    const bodyAt = note.indexOf('\n---\n', 4) + 5;
    const [way = 'plain', place = 'end'] = [WAYS[at % WAYS.length], PLACES[at % PLACES.length]];
    const order = orderOf(planted[at] ?? '');
    at += 1;
    return `${note.slice(0, bodyAt)}\n${withOrder(note.slice(bodyAt), order, way, place)}`;
  });
  golden.respond(createObedientModel(planted).script);
  const question = 'Does vitamin D supplementation improve health?';
  const files = await golden.report('planted', { question, sources: { paths: [folder] } });
  expectGolden('planted-instructions', files);
});
