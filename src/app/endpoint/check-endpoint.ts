import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import { traitsOf } from '../../contracts/run/engines';
import type { ModelClient } from '../../engines/model/port/model-client';
import { ModelFailure, type ModelFailureKind } from '../../engines/model/port/model-failure';
import { openModelClient } from '../create-engines';

/** Long enough for any endpoint that is there to list its models. */
const LIST_MS = 5_000;

const TO_BE_MENDED: readonly ModelFailureKind[] = [
  'wrong-key',
  'unknown-model',
  'quota-exceeded',
  'bad-request',
];
const NOT_THERE = [404, 405, 501];

export interface EndpointProblem {
  state: 'to-be-mended' | 'away' | 'busy';
  message: string;
}

/** Asks the endpoint of a run once, before anything is stored for it. Null where it answers, where the run has none, or on abort. */
export async function checkEndpoint(config: Config, stopped: AbortSignal): Promise<EndpointProblem | null> {
  if (!traitsOf(config.engine).asksModels) return null;
  const { timeoutMs, inactivityMs } = config.openai;
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config, {
    timeoutMs: Math.min(timeoutMs, LIST_MS),
    inactivityMs: Math.min(inactivityMs, LIST_MS),
  });
  if (client === null || models === null) return null;
  try {
    await askOnce(client, models.fast.name, stopped);
    return null;
  } catch (error) {
    if (stopped.aborted || !(error instanceof ModelFailure)) return null;
    const { kind, message } = error;
    if (TO_BE_MENDED.includes(kind)) return { state: 'to-be-mended', message };
    return { state: kind === 'unreachable' ? 'away' : 'busy', message };
  }
}

/** The list of models costs nothing. Where there is none, only a call tells whether the address is right. */
async function askOnce(client: ModelClient, model: string, signal: AbortSignal): Promise<void> {
  try {
    await client.listModels(signal);
  } catch (error) {
    if (!(error instanceof ModelFailure) || !NOT_THERE.includes(error.status ?? 0)) throw error;
    await client.ask(
      {
        model,
        messages: [{ role: 'user', content: 'Answer with the word yes.' }],
        temperature: 0,
        maxOutputTokens: 16,
      },
      null,
      { signal },
    );
  }
}
