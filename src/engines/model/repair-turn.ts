import type { ModelResponse } from './port/model-client';
import { ModelFailure } from './port/model-failure';

/**
 * What a repair turn gives, or null where it cannot be had: then the first answer has to do. What may succeed later is
 * thrown, so that the step is tried again and a passing failure does not change a report.
 */
export async function repairTurn(ask: () => Promise<ModelResponse>): Promise<ModelResponse | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ModelFailure && !error.retryable) return null;
    throw error;
  }
}
