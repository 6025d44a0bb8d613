import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGoodModel } from '../../model-server/good-model';
import { ownInstructions } from '../../support/hidden-instructions';
import { type ModelBench, openModelBench } from '../model-runs/model-bench';
import { problemsOfReport, sourcesOfRun } from '../model-runs/report-problems';
import { orderOf, PLACES, shownIn, tracesIn, WAYS, withOrder } from './hidden-orders';
import { createObedientModel } from './obedient-model';

const NOTES = join(__dirname, '../../../examples/vitamin-d');
/** One for each way and place, of all kinds of instructions. */
const ORDERS = 15;

let bench: ModelBench;
let folder: string;
beforeEach(async () => {
  bench = await openModelBench();
  folder = mkdtempSync(join(tmpdir(), 'colligate-injection-'));
});
afterEach(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

/** The example notes, all but one with an order each. */
function poisonedNotes(instructions: readonly string[]): { orders: string[] } {
  const orders: string[] = [];
  readdirSync(NOTES)
    .sort()
    .forEach((name, at) => {
      const note = readFileSync(join(NOTES, name), 'utf8');
      const bodyAt = note.indexOf('\n---\n', 4) + 5;
      const instruction =
        at < ORDERS ? instructions[Math.floor((at * instructions.length) / ORDERS)] : undefined;
      const way = WAYS[at % WAYS.length] ?? 'plain';
      const place = PLACES[Math.floor(at / WAYS.length) % PLACES.length] ?? 'end';
      if (instruction !== undefined) orders.push(instruction);
      const body = note.slice(bodyAt);
      const written = instruction === undefined ? body : withOrder(body, orderOf(instruction), way, place);
      writeFileSync(join(folder, name), `${note.slice(0, bodyAt)}\n${written}`);
    });
  return { orders };
}

test('a whole run with a model that obeys: nothing of it in the report, the events or the warnings', async () => {
  const { all, mayShow } = ownInstructions();
  const { orders } = poisonedNotes(all);
  const model = createObedientModel(all);
  const served = await bench.serve(model.script);
  const { report, markdown, events } = await served.report('poisoned', { sources: { paths: [folder] } });
  const asked = served.server.asked.length;
  await bench.rest();

  expect(model.found.size).toBeGreaterThan(new Set(orders).size / 2);
  const progress = await bench.colligate.run('poisoned').progress();
  for (const [what, told] of Object.entries({ report, markdown, events, progress }))
    expect({ what, traces: tracesIn(told) }).toEqual({ what, traces: [] });
  const shown = shownIn([report, markdown, events, progress], orders);
  expect(shown.length).toBeLessThanOrEqual((mayShow / all.length) * ORDERS);
  expect(problemsOfReport(report, await sourcesOfRun(bench, 'poisoned'))).toEqual([]);
  // All notes are read in one call, so that its answer suffers from all of the orders.
  expect(report.claims.length).toBeGreaterThan(5);
  const told = report.sections.filter(({ id }) => id !== 'limits');
  expect(told.every(({ citations }) => citations.length > 0)).toBe(true);

  // Each question may have one repair turn; what the model wrote asked for nothing more.
  const good = createGoodModel();
  const plain = await bench.serve((request) => good.answer(request));
  await plain.report('plain');
  expect(asked).toBeLessThanOrEqual(2 * plain.server.asked.length);
});
