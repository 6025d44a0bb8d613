import type { AnswerListener } from '../answer/answer-listener';
import type { Endpoint } from './endpoint';
import { startDeadline, type Deadline, type Missed } from './endpoint-deadline';
import type { ModelRequest, SchemaRung } from '../../model/port/model-client';
import { ModelFailure } from '../../model/port/model-failure';
import { asModelFailure } from '../as-model-failure';

export interface EndpointCall {
  endpoint: Endpoint;
  apiKey: string | null;
  timeoutMs: number;
  inactivityMs: number;
  firstByteMs: number;
  /** Null where the call is not for an answer. */
  request: ModelRequest | null;
  rung: SchemaRung | null;
}

const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/**
 * Carries out a call within its time. What it throws is a failure, the reason of a cancellation, or what the listener
 * threw, and each of the latter two untouched.
 */
export async function callEndpoint<Result>(
  call: EndpointCall,
  signal: AbortSignal,
  listener: AnswerListener,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const { endpoint, apiKey, request, rung } = call;
  if (apiKey !== null && !SENDABLE_KEY.test(apiKey)) {
    throw new ModelFailure(
      'wrong-key',
      'The API key has characters that no key has, such as spaces or line ends: check OPENAI_API_KEY.',
    );
  }
  const deadline = startDeadline(signal, call.timeoutMs);
  try {
    return await work(deadline);
  } catch (error) {
    if (listener.threw(error)) throw error;
    signal.throwIfAborted();
    const partial = listener.heard;
    if (deadline.missed !== null) throw missedFailure(call, deadline.missed, partial);
    const failure = asModelFailure(error, {
      address: endpoint.address,
      model: request?.model ?? '',
      hasKey: apiKey !== null,
      apiKey,
      contents: request?.messages.map(({ content }) => content) ?? [],
      rung,
      nowMs: Date.now(),
    });
    throw partial === '' ? failure : failure.after('connection', partial);
  } finally {
    deadline.end();
  }
}

function missedFailure(call: EndpointCall, missed: Missed, partial: string): ModelFailure {
  const { endpoint, timeoutMs, inactivityMs, firstByteMs } = call;
  const messages: Record<Missed, string> = {
    time: `${endpoint.address} did not answer within ${timeoutMs} ms.`,
    beginning: `${endpoint.address} did not begin to answer within ${firstByteMs} ms.`,
    silence: `${endpoint.address} stopped sending its answer for ${inactivityMs} ms.`,
  };
  return new ModelFailure('timeout', messages[missed]).after(missed === 'time' ? 'time' : 'silence', partial);
}
