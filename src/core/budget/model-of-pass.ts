import type { ModelChoice, ModelChoices } from '../../contracts/run/run-input';

export type ModelRole = 'fast' | 'strong' | 'critic';

/** Document 002 names a model for pass 1 and one for passes 2 to 4; where a run has none for a pass, its role decides. */
export function modelOfPass(models: ModelChoices, role: ModelRole, pass: number): ModelChoice {
  if (role === 'fast' && pass === 1) return models.overview ?? models.fast;
  if (role === 'strong' && pass >= 2) return models.deepDive ?? models.strong;
  return models[role];
}
