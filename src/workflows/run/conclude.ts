import {
  CancellationScope,
  allHandlersFinished,
  condition,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunInput } from '../../contracts/run/run-input';
import { ColligateCitations } from '../../temporal/search-attributes';
import type { CarriedRun } from './carried-run';
import type { FinalStatus } from './kind';
import type { Trial } from './outages/outages';
import type { Run } from './run';

interface Conclusion<Stored> {
  store: (trial: Trial) => Promise<Stored>;
  citations: (stored: Stored) => number;
  facts: (stored: Stored) => string[];
  /** Called when it is stored, before those are waited for who ask. */
  tell?: (stored: Stored) => void;
}

/** Stores the best of what there is, whatever becomes of the run meanwhile, which closes its event log, and tells the server's records. */
export function conclude<Input extends RunInput, Carried extends CarriedRun, Facts extends object, Stored>(
  run: Run<Input, Carried, Facts>,
  status: FinalStatus,
  { store, citations, facts, tell }: Conclusion<Stored>,
): Promise<Stored> {
  return CancellationScope.nonCancellable(async () => {
    const stored = await run.outlast(store, { heedsPause: false });
    if (run.input.searchAttributes)
      upsertSearchAttributes([{ key: ColligateCitations, value: citations(stored) }]);
    run.end(status, facts(stored));
    tell?.(stored);
    await condition(allHandlersFinished);
    return stored;
  });
}

/** Why a run ended before all was done, as a sentence; null where it did not. */
export function endedEarly(
  { carried: { quotedSteps }, clock }: Pick<Run, 'carried' | 'clock'>,
  status: FinalStatus,
): string | null {
  if (status === 'cancelled') return 'The run was cancelled before it was finished.';
  if (clock.timeIsUp) return 'The time allowed for the run was over before it was finished.';
  if (status === 'partial' && quotedSteps > 0)
    return quotedSteps === 1
      ? 'One step could not be left to the model, and was done without it.'
      : `${quotedSteps} steps could not be left to the model, and were done without it.`;
  return null;
}
