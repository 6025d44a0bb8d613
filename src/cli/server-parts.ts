import type { Config } from '../app/config';
import type { Verifier } from '../app/local-tasks';
import { withConfiguredDefaults } from '../app/open-colligate';
import { cached, storageProblems, withinAnswerTime } from '../app/readiness';
import type { Session } from '../app/session';
import type { ServerParts } from '../http/server-context';
import { safeBlock, type Terminal } from './terminal';

// Parts that the HTTP and MCP servers share.

/** Owner of runs that are started on this machine without a token. */
export const LOCAL_OWNER = 'local';

export function createServerParts(session: Session, config: Config, verifier: Verifier): ServerParts {
  return {
    client: withConfiguredDefaults(session.client, config, async () => session.searchAttributes),
    access: session.stores.access,
    config,
    verifier,
    now: () => new Date(),
    whyNotReady: cached(() => whyNotReady(session, config), READINESS_MS),
  };
}

/** Readiness is cached for this time, because anybody can ask without limit. */
const READINESS_MS = 2_000;

async function whyNotReady(session: Session, config: Config): Promise<string[]> {
  const [workers, kept] = await Promise.all([
    withinAnswerTime(session.queuesWithoutWorker()).then(
      (queues) => queues.map((queue) => `No worker polls the task queue ${queue}.`),
      () => ['The Temporal server does not answer.'],
    ),
    storageProblems(config, session.stores, { takesUploads: true }),
  ]);
  return [...workers, ...kept];
}

export function errorReporter(terminal: Terminal): (error: unknown, requestId: string) => void {
  return (error, requestId) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.say(safeBlock(`Request ${requestId} failed: ${text}`));
  };
}
