import type { Config } from '../config/config';
import { openFormats } from '../sources/formats/source-formats';
import { derivedId, hashOf } from '../sources/source-id';
import { titleOf } from '../sources/source-title';
import type { GivenSource } from '../verification/report/given-source';
import { configuredPages } from './configured-pages';

/** The pages that a report cites, each by the address that the report gives; and why others are not there, by their address. */
export interface CitedPages {
  sources: GivenSource[];
  unfetched: Map<string, string>;
}

/** Fetches what a report cites; nothing is kept. `taken` are the ids of the sources that were given with it. */
export async function fetchCited(
  config: Pick<Config, 'fetch'>,
  addresses: readonly string[],
  { taken, onPage }: { taken: ReadonlySet<string>; onPage: (done: number) => void },
): Promise<CitedPages> {
  const pages = configuredPages(config, null).open({ runId: 'verified' });
  const formats = openFormats();
  const ids = new Set(taken);
  const sources: GivenSource[] = [];
  const unfetched = new Map<string, string>();
  const fetched = new Set<string>();
  try {
    for await (const { address, reading } of pages.read(addresses, formats)) {
      if (!reading.ok) unfetched.set(address, reading.message);
      else {
        const { record } = reading;
        const title = record.title ?? titleOf(record.content, null);
        // Of an address that holds several, such as a feed, the first is what the report names.
        const url = fetched.has(address) ? record.url : address;
        const hash = hashOf(record.content);
        const id = derivedId({ url, title }, hash);
        if (!ids.has(id)) sources.push({ ...record, id, title, url });
        ids.add(id);
      }
      if (fetched.has(address)) continue;
      fetched.add(address);
      onPage(fetched.size);
    }
  } finally {
    await formats.close();
    await pages.close();
  }
  // What holds a source that can be read was fetched, whatever else is wrong with it.
  for (const { url = '' } of sources) unfetched.delete(url);
  return { sources, unfetched };
}
