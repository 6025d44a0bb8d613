import type { ModelChoices } from '../../contracts/run/run-input';

/** The endpoint's name for the model of each role, and of each pass that has one of its own. */
export function modelNames(models: ModelChoices): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, { name }]) => [role, name]));
}
