import { traitsOf } from '../../contracts/run/engines';
import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import type { ModelClient } from '../../engines/model/port/model-client';
import { openModelClient } from '../../app/create-engines';
import { ModelFailure, type ModelFailureKind } from '../../engines/model/port/model-failure';
import type { CommandContext } from '../command-context';
import { EndpointError } from '../endpoint-error';
import { safeExcerpt } from '../terminal/safe-text';

/** Long enough for any endpoint that is there to list its models. */
const LIST_MS = 5_000;

/** What no waiting mends. */
const TO_BE_MENDED: readonly ModelFailureKind[] = [
  'wrong-key',
  'unknown-model',
  'quota-exceeded',
  'bad-request',
];
const NOT_THERE = [404, 405, 501];

/**
 * Asks the endpoint of a run once, before anything is stored for it. What a person must mend is an `EndpointError`, and so is
 * an endpoint that is away, where the run is not to wait for it (`waits`).
 */
export async function checkEndpoint(
  { terminal }: CommandContext,
  config: Config,
  { waits, stopped }: { waits: boolean; stopped: AbortSignal },
): Promise<void> {
  if (!traitsOf(config.engine).asksModels) return;
  const { timeoutMs, inactivityMs } = config.openai;
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config, {
    timeoutMs: Math.min(timeoutMs, LIST_MS),
    inactivityMs: Math.min(inactivityMs, LIST_MS),
  });
  if (client === null || models === null) return;
  try {
    await askOnce(client, models.fast.name, stopped);
  } catch (error) {
    if (stopped.aborted || !(error instanceof ModelFailure)) return;
    const message = safeExcerpt(error.message, 500);
    if (TO_BE_MENDED.includes(error.kind)) throw new EndpointError(message);
    if (!waits) throw new EndpointError(message);
    // An endpoint that is busy or slow is there: the run finds out by itself.
    if (error.kind === 'unreachable')
      terminal.say(`${message} The run waits for it; correct OPENAI_BASE_URL if that is wrong.`);
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
