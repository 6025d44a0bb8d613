import type { ServerResponse } from 'node:http';
import { findTokenById } from '../../app/access/access-tokens';
import type { Caller, Face } from '../face';
import { sharedLooks } from './shared-looks';

/** A token that is revoked ends what is read with it as soon as this, also where nothing happens. */
const LOOK_MS = 1_000;
/** A comment is sent at each of so many looks, so that what stands between keeps the connection. */
const LOOKS_A_COMMENT = 15;

/** After a restart a client asks again so soon. */
const RETRY_MS = 2_000;

export interface OpenStream {
  caller: Caller;
  to: ServerResponse;
  /** Aborted when it is to end. */
  gone: AbortController;
}

export interface OpenStreams {
  /** Ends all of them; clients come back after a moment, behind the last event that they have. */
  endAll(): void;
  /** Gives what to call when it has ended. */
  add(stream: OpenStream): () => void;
  /** Asked before something is told: what happened after a token was revoked is not told by it. */
  isStillLetIn(caller: Caller): Promise<boolean>;
}

/** Ends streams whose token is none any more and keeps the quiet ones open: one timer and one look for all of them. */
export function createOpenStreams({ access, now }: Pick<Face, 'access' | 'now'>): OpenStreams {
  const streams = new Set<OpenStream>();
  const tokens = sharedLooks(() => access.tokens());
  let timer: NodeJS.Timeout | null = null;
  let looks = 0;

  async function isStillLetIn({ tokenId }: Caller): Promise<boolean> {
    const kept = await tokens('');
    // With the first token each request needs one.
    if (tokenId === null) return kept.length === 0;
    return (await findTokenById({ tokens: () => Promise.resolve(kept) }, tokenId, now())) !== null;
  }

  async function look(stream: OpenStream, isTimeForComment: boolean): Promise<void> {
    if (!(await isStillLetIn(stream.caller))) stream.gone.abort();
    else if (isTimeForComment && !stream.to.writableNeedDrain) stream.to.write(': \n\n');
  }

  function lookAtAll(): void {
    looks += 1;
    for (const stream of streams)
      void look(stream, looks % LOOKS_A_COMMENT === 0).catch(() => stream.gone.abort());
  }

  return {
    isStillLetIn,
    endAll() {
      for (const { to, gone } of streams) {
        if (!to.writableNeedDrain) to.write(`retry: ${RETRY_MS}\n\n`);
        gone.abort();
      }
    },
    add(stream) {
      streams.add(stream);
      timer ??= setInterval(lookAtAll, LOOK_MS);
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}
