import { CALL_SIZES } from '../core/call-estimates';
import { activities } from './activities';
import { evenBatches } from './batches';
import { materialOf, worstCase } from './call-costs';
import { inParallel } from './in-parallel';
import type { Run } from './run';

/** How many sources one activity summarises. */
const BATCH_SIZE = 50;

/** Pass 0: every source with a summary, once, rated. */
export async function gather(run: Run): Promise<void> {
  const { manifestRef, sourceCount, asOf } = run.input;
  const batches = evenBatches(sourceCount, BATCH_SIZE);
  run.plan(batches.length + 1);
  const summarised = await inParallel(batches, async ({ from, to }) => {
    const sources = `sources ${from + 1}–${to}`;
    const request = { run: run.brief, manifestRef, from, to };
    const cost = worstCase(run, 'gather', CALL_SIZES.summarise(to - from, materialOf(run)));
    return run.ask(activities.summariseBatch, request, `${sources} · summarise`, cost);
  });
  const batchRefs = summarised.map((batch) => batch.batchRef);
  const request = { run: run.brief, manifestRef, batchRefs, asOf };
  const { catalogueRef, sources } = await run.carryOut(activities.catalogueSources, request, 'catalogue');
  run.state.catalogue = { ref: catalogueRef, sources };
}
