import type { ModelChoices } from '../../contracts/run/run-input';

export function modelNames(models: ModelChoices): Record<string, string> {
  return Object.fromEntries(Object.entries(models).map(([role, { name }]) => [role, name]));
}
