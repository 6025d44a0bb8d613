import { FetchError } from '../../fetch/fetch-error';
import { webAddress } from '../../fetch/web-address';
import { parseRecord } from '../parse-record';
import type { PageReader } from './page-reader';

/** Stands for pages where only what was given is looked at, before a server is started for it: each has its address for its text. */
export const namedPages: PageReader = {
  async *read(addresses) {
    for (const address of addresses) {
      const wrong = whyNotNamed(address);
      yield {
        address,
        bytes: 0,
        reading: wrong === null ? parseRecord({ content: address }) : { ok: false, message: wrong },
      };
    }
  },
};

/** Ports are left to whoever knows which are allowed. */
function whyNotNamed(address: string): string | null {
  try {
    webAddress(address.replace(/^(https?:\/\/[^/?#]*):\d+(?=[/?#]|$)/i, '$1'), new Set());
    return null;
  } catch (error) {
    if (error instanceof FetchError) return error.reason;
    throw error;
  }
}
