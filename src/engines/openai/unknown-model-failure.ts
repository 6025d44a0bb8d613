import { ModelFailure } from '../model/port/model-failure';
import { failureMessage, modelsMessage } from './failure-message';

/** An endpoint has not got the model, but these. */
export function unknownModelFailure(
  asked: { address: string; model: string },
  status: number | null,
  names: readonly string[],
): ModelFailure {
  const message = failureMessage(
    'unknown-model',
    { ...asked, hasKey: true },
    { status, contextWindow: null },
  );
  return new ModelFailure('unknown-model', `${message} ${modelsMessage(names)}`, { status });
}
