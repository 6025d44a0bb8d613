import { traitsOf } from '../../contracts/run/engines';
import type { PassName } from '../../contracts/kinds';
import type { WorstCase } from '../../core/budget/budget-ledger';
import { worstCaseOf, type CallSize } from '../../core/budget/call-estimates';
import { modelOfPass, type ModelRole } from '../../core/budget/model-of-pass';
import type { Run } from './run';

/** What a call of a pass may cost; nothing where the engine asks nobody. */
export function worstCase(
  run: Run,
  pass: PassName,
  size: CallSize,
  role: ModelRole = run.placeOf(pass).role,
): WorstCase {
  const { engine, models } = run.input;
  return worstCaseOf(engine, size, models ? modelOfPass(models, role, run.placeOf(pass).number) : {});
}

/** How many tokens the model of a pass takes; null where the engine asks none. */
export function contextTokensIn(run: Run, pass: PassName): number | null {
  const { engine, models } = run.input;
  if (!traitsOf(engine).asksModels || !models) return null;
  const { role, number } = run.placeOf(pass);
  return modelOfPass(models, role, number).contextTokens;
}
