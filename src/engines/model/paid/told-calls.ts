import { subtractUsage } from '../../../core/budget/usage';
import type { ModelCall } from '../../engine';
import { ModelFailure } from '../port/model-failure';
import type { PaidCalls } from './paid-calls';

/** The same calls, of each of which it is told how it ended. Within a step one call follows the other. */
export function toldCalls(calls: PaidCalls, tell: (call: ModelCall) => void): PaidCalls {
  return {
    async ask(requests, context) {
      const [{ request }] = requests;
      const { model, messages, temperature, maxOutputTokens } = request;
      const before = context.meter.usage();
      const startedAt = Date.now();
      const end = (ended: Pick<ModelCall, 'answer' | 'failure'>): void =>
        tell({
          model,
          messages,
          temperature,
          maxOutputTokens,
          startedAt,
          endedAt: Date.now(),
          usage: subtractUsage(context.meter.usage(), before),
          ...ended,
        });
      try {
        const response = await calls.ask(requests, context);
        end({ answer: { text: response.text, finishReason: response.finishReason }, failure: null });
        return response;
      } catch (error) {
        end({ answer: null, failure: error instanceof ModelFailure ? error.kind : 'given-up' });
        throw error;
      }
    },
    find: (requests, context) => calls.find(requests, context),
  };
}
