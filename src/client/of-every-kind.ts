import { RunKind } from '../contracts/kinds';

/** Finds the workflows of runs, whatever kind they are: a kind's name is its workflow's. */
export function ofEveryKind(): string {
  return `WorkflowType IN (${RunKind.options.map((kind) => `"${kind}"`).join(', ')})`;
}
