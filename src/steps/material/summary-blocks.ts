import type { SummarisedSource } from './summarised-source';
import type { ShortIds } from './short-ids';
import { describeSource } from './described-source';
import { materialBlock } from './material-block';

/** Sources by their summaries, as pass 1 reads them where the sources do not fit. */
export function summaryBlocks(mark: string, sources: readonly SummarisedSource[], ids: ShortIds): string {
  return sources
    .map((source) =>
      materialBlock(mark, ids.shortOf(source.sourceId), `${describeSource(source)}\n${source.summary}`),
    )
    .join('\n');
}
