import { CALL_SIZES } from '../../core/budget/call-estimates';
import { traitsOf } from '../../contracts/run/engines';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { RunShape } from '../../contracts/run/run-input';
import { activities } from './activities';
import { evenBatches } from '../run/batches';
import { worstCase } from '../run/call-costs';
import { materialOf } from './call-budget';
import { keepCatalogue } from './carried-report';
import { BATCHES } from './in-histories';
import type { Catalogue } from './made';
import { inRounds, listed, partsDone, partsInRounds } from '../run/in-rounds';
import type { ReportRun } from './report-run';
import { shapeOfRun } from '../run/shape-of-run';

/** Pass 0: every source with a summary, once, rated. */
export async function gather(run: ReportRun): Promise<Catalogue> {
  const { manifestRef, sourceCount, asOf, qualityRulesRef, synthesis } = run.input;
  const shape = shapeOfGather(run.input);
  const batches = evenBatches(sourceCount, batchSize(run.input, shape));
  run.plan(partsInRounds(shape, batches.length) + 1, partsDone(run, shape, BATCHES));
  const { refs, joined } = await inRounds(run, {
    name: BATCHES,
    shape,
    items: batches,
    work: async ({ from, to }) => {
      const sources = `sources ${from + 1}–${to}`;
      const request = { run: run.brief, manifestRef, from, to };
      const cost = worstCase(run, 'gather', CALL_SIZES.summarise(to - from, materialOf(run.input)));
      return (await run.ask(activities.summariseBatch, request, `${sources} · summarise`, cost)).batchRef;
    },
    join: (batchRefs, round) => listed(run, batchRefs, round),
  });
  const batchRefs = joined ? { batchRefs: [], batchListRefs: refs } : { batchRefs: refs };
  // The one activity that is told the rules themselves, where they are part of the input.
  const brief = { ...run.brief, synthesis };
  const request = {
    run: brief,
    manifestRef,
    ...batchRefs,
    asOf,
    ...(qualityRulesRef ? { qualityRulesRef } : {}),
  };
  const { catalogueRef, sources } = await run.carryOut(activities.catalogueSources, request, 'catalogue');
  return keepCatalogue(run.carried, { ref: catalogueRef, sources });
}

function shapeOfGather(input: ReportRunInput): RunShape {
  const { sourcesABatch } = shapeOfRun(input, 0);
  return shapeOfRun(input, Math.ceil(input.sourceCount / sourcesABatch));
}

/** A model's answer holds so many summaries and no more; without one, fewer and larger batches cost less, up to a size. */
function batchSize(
  { engine, sourceCount }: ReportRunInput,
  { sourcesABatch, mostBatches, largestBatch = Infinity }: RunShape,
): number {
  if (traitsOf(engine).asksModels) return sourcesABatch;
  return Math.max(sourcesABatch, Math.min(largestBatch, Math.ceil(sourceCount / mostBatches)));
}
