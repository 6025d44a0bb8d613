import { withoutFigures } from '../../core/text/without-figures';
import type { SummarisedSource } from './summarised-source';
import type { ShortIds } from './short-ids';
import { describeSource } from './described-source';
import { materialBlock } from './material-block';

/**
 * Sources by their summaries, as pass 1 reads them. Figures are left out: a plan is of what sources are on, it is to state
 * none that nobody has checked, and it stays the plan that it is where one of them changes.
 */
export function summaryBlocks(mark: string, sources: readonly SummarisedSource[], ids: ShortIds): string {
  return sources
    .map((source) =>
      materialBlock(
        mark,
        ids.shortOf(source.sourceId),
        `${describeSource(source)}\n${withoutFigures(source.summary)}`,
      ),
    )
    .join('\n');
}
