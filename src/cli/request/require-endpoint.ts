import { checkEndpoint } from '../../app/endpoint/check-endpoint';
import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { EndpointError } from '../failures/endpoint-error';
import { safeExcerpt } from '../terminal/safe-text';

/**
 * Asks the endpoint of a run once. What a person must mend is an `EndpointError`, and so is an endpoint that is away, where
 * the run is not to wait for it (`waits`).
 */
export async function requireEndpoint(
  { terminal }: CommandContext,
  config: Config,
  { waits, stopped }: { waits: boolean; stopped: AbortSignal },
): Promise<void> {
  const problem = await checkEndpoint(config, stopped);
  if (problem === null) return;
  const message = safeExcerpt(problem.message, 500);
  if (problem.state === 'to-be-mended' || !waits) throw new EndpointError(message);
  // An endpoint that is busy or slow is there: the run finds out by itself.
  if (problem.state === 'away')
    terminal.say(`${message} The run waits for it; correct OPENAI_BASE_URL if that is wrong.`);
}
