import { traitsOf } from '../../contracts/run/engines';
import type { ReportRunInput } from '../../contracts/report/report-run';
import type { CatalogueSourcesInput } from '../../activities/report/gather/catalogue-sources';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunShape } from '../../contracts/run/run-input';
import { activities } from './activities';
import { evenBatches, type Batch } from '../../core/run/batches';
import { shapeOfRun } from '../run/batches';
import { keepCatalogue, type Catalogue, type ReportRun } from './carried-report';
import { givenSources } from './steering/given-sources';
import { refreshFacts } from './report-facts';
import { inRounds, listed, partsDone, partsInRounds } from '../run/in-rounds';

const BATCHES = 'batches';

export async function gather(run: ReportRun): Promise<Catalogue> {
  // What is added from now on is gathered behind this.
  const { manifestRef, sourceCount } = (run.carried.taken ??= givenSources(run));
  refreshFacts(run);
  const shape = shapeOfRun(run.input);
  const batches = evenBatches(sourceCount, batchSize(run.input, sourceCount, shape));
  run.plan(partsInRounds(shape, batches.length) + 1, partsDone(run, shape, BATCHES));
  const batchesDone = (run.carried.rounds?.[BATCHES]?.length ?? 0) * shape.round;
  run.planSources(sourceCount, batches.slice(0, batchesDone).at(-1)?.to ?? 0);
  const { refs, joined } = await inRounds(run, {
    name: BATCHES,
    shape,
    items: batches,
    async work(batch) {
      const batchRef = await summarised(run, manifestRef, batch);
      run.finishSources(batch.to - batch.from);
      return batchRef;
    },
    join: (batchRefs, round) => listed(run, batchRefs, round),
  });
  const batchRefs = joined ? { batchRefs: [], batchListRefs: refs } : { batchRefs: refs };
  return catalogued(run, manifestRef, batchRefs);
}

export async function summarised(
  run: ReportRun,
  manifestRef: ArtifactRef,
  { from, to }: Batch,
): Promise<ArtifactRef> {
  const sources = `sources ${from + 1}–${to}`;
  const request = { run: run.facts, manifestRef, from, to };
  return (await run.ask(activities.summariseBatch, request, `${sources} · summarise`)).batchRef;
}

/** All that was gathered as one catalogue; `batches` are in the order of the manifest. */
export async function catalogued(
  run: ReportRun,
  manifestRef: ArtifactRef,
  batches: Pick<CatalogueSourcesInput, 'batchRefs' | 'batchListRefs'>,
): Promise<Catalogue> {
  const { asOf, qualityRulesRef, synthesis } = run.input;
  // The one activity that is told the rules themselves, where they are part of the input.
  const facts = { ...run.facts, synthesis };
  const request = {
    run: facts,
    manifestRef,
    ...batches,
    asOf,
    ...(qualityRulesRef ? { qualityRulesRef } : {}),
  };
  const { catalogueRef, ...catalogue } = await run.carryOut(
    activities.catalogueSources,
    request,
    'catalogue',
  );
  return keepCatalogue(run.carried, { ref: catalogueRef, ...catalogue });
}

/** A model's answer holds so many summaries and no more; without one, fewer and larger batches cost less, up to a size. */
function batchSize(
  { engine }: ReportRunInput,
  sourceCount: number,
  { sourcesABatch, mostBatches, largestBatch = Infinity }: RunShape,
): number {
  if (traitsOf(engine).asksModels) return sourcesABatch;
  return Math.max(sourcesABatch, Math.min(largestBatch, Math.ceil(sourceCount / mostBatches)));
}
