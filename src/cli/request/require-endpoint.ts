import { checkEndpoint } from '../../app/endpoint/check-endpoint';
import { localHint } from '../../app/endpoint/local-engine';
import type { Config } from '../../config/config';
import type { CommandContext } from '../command-context';
import { EndpointError } from '../failures/endpoint-error';
import { safeExcerpt } from '../terminal/safe-text';

/**
 * Asks the endpoint of a run once. Throws `EndpointError` for a problem that a person must mend, and for an endpoint that is away
 * if the run neither waits for it (`waits`) nor has a reply without it (`hasFallback`).
 */
export async function requireEndpoint(
  { terminal }: CommandContext,
  config: Config,
  { waits, hasFallback = false, stopped }: { waits: boolean; hasFallback?: boolean; stopped: AbortSignal },
): Promise<void> {
  const problem = await checkEndpoint(config, stopped);
  if (problem === null) return;
  const message = safeExcerpt(problem.message, 500);
  if (problem.state === 'to-be-mended' || !(waits || hasFallback)) throw new EndpointError(message);
  // An endpoint that is busy or slow is there: the run finds out by itself.
  if (problem.state !== 'away') return;
  const next = [
    waits ? ' The run waits for it; correct OPENAI_BASE_URL if that is wrong.' : '',
    hasFallback ? ' If no answer can be written, the reply is the given final output.' : '',
  ];
  terminal.say(`${message}${next.join('')}`);
}

/** Says in one line that a server of models runs here, where nobody chose an engine. The command does not wait for it. */
export function hintAtLocalModels({ terminal }: Pick<CommandContext, 'terminal'>, config: Config): void {
  void localHint(config).then((line) => {
    if (line !== null) terminal.interject(safeExcerpt(line, 500));
  });
}
