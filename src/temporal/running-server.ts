import { connectClient, type ServerTarget } from './connect';
import { attach, leave, locked, type FolderServer } from './folder-server';
import { isProcessAlive } from './process-of-server';
import { ServerGoneError } from './server-gone-error';
import { serverAnswers } from './server-probe';
import type { ServerFiles } from './server-record';

/** How a server looks: `gone` where its process has ended, which is known of a folder's own server alone. */
export type ServerLook = 'answers' | 'silent' | 'gone';

/** `uiUrl` is null where the server is somebody else's; `started` says whether this call started it. */
export interface RunningServer {
  address: string;
  uiUrl: string | null;
  started: boolean;
  wasLeft: boolean;
  /** Never rejects. */
  look(): Promise<ServerLook>;
  /**
   * Uses the server that has taken the place of one that is silent or gone. With `mayStart` it is started where there is
   * none, on the same file and ports. False where there is none; what starting throws passes.
   */
  renew(options: { mayStart: boolean }): Promise<boolean>;
  /** Ends this use. The last user's leaving stops the server, unless it is somebody else's. */
  stop(): Promise<void>;
}

/** A server that is not this folder's: it is asked, and that is all. Throws `UnreachableServerError`. */
export async function foreignServer(target: ServerTarget): Promise<RunningServer> {
  const ask = async (): Promise<void> => {
    const { connection } = await connectClient(target);
    await connection.close();
  };
  await ask();
  const look = (): Promise<ServerLook> =>
    ask().then(
      () => 'answers' as const,
      () => 'silent' as const,
    );
  return {
    address: target.address,
    uiUrl: null,
    started: false,
    wasLeft: false,
    look,
    renew: async () => (await look()) === 'answers',
    stop: () => Promise.resolve(),
  };
}

/** A use of the folder's own server; `start` starts another one at its ports, and is called under the folder's lock. */
export function useFolderServer(
  found: FolderServer,
  files: ServerFiles,
  start: (given: Pick<FolderServer, 'address' | 'uiUrl'>) => Promise<FolderServer>,
): RunningServer {
  const { address, uiUrl, started, wasLeft } = found;
  let current = found;
  let left = false;
  return {
    address,
    uiUrl,
    started,
    wasLeft,
    async look() {
      if (!isProcessAlive(current.pid)) return 'gone';
      return (await serverAnswers(address)) ? 'answers' : 'silent';
    },
    async renew({ mayStart }) {
      if (!mayStart && !(await serverAnswers(address))) return false;
      return locked(files, async () => {
        if (left) return false;
        const next = (await attach(files)) ?? (mayStart ? await start({ address, uiUrl }) : null);
        if (next === null) return false;
        current = next;
        // Somebody has started it at the same time, and found the ports taken.
        if (next.address !== address)
          throw new ServerGoneError(address, { why: `one runs on its file at ${next.address} instead` });
        return true;
      });
    },
    stop: async () => {
      if (left) return;
      left = true;
      await locked(files, () => leave(current, files));
    },
  };
}
