import { ValidatedFindings } from '../../../contracts/report/finding';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { planSearch } from '../../../steps/plan-search/plan-search';
import { readArtifact, readIfAny, storeArtifact } from '../artifacts';
import type { ActivityPorts, RunFacts } from '../ports';
import { runStep, type Spent } from '../run-step';
import { SearchResults } from './search-artifacts';

export interface PlanQueriesInput {
  run: RunFacts;
  pass: number;
  round: number;
  most: number;
  resultsRefs: ArtifactRef[];
  /** The findings that leave something open; null before there are any. */
  validatedRef: ArtifactRef | null;
}

export interface PlannedQueries extends Spent {
  queriesRef: ArtifactRef;
  queries: number;
}

export async function planQueries(
  ports: ActivityPorts,
  { run, pass, round, most, resultsRefs, validatedRef }: PlanQueriesInput,
  signal: AbortSignal,
): Promise<PlannedQueries> {
  const { content } = ports;
  const before = await Promise.all(resultsRefs.map((ref) => readArtifact(content, ref, SearchResults)));
  const validated = await readIfAny(content, validatedRef, ValidatedFindings);
  const input = {
    question: run.question,
    tried: before.flatMap(({ queries }) => queries),
    gaps: (validated?.gaps ?? []).map(({ question }) => question),
    most,
  };
  const place = { pass, ordinal: `search-${round}` };
  const { output, usage, warnings } = await runStep(ports, run, planSearch, input, { place, signal });
  const queriesRef = await storeArtifact(content, run.runId, output);
  return { queriesRef, queries: output.queries.length, usage, warnings };
}
