import { createWebhooks, type Webhooks } from '../activities/webhooks';
import { type RequestedSearch, resolveSearch } from '../client/run-requests';
import { SearchBounds } from '../contracts/run-input';
import { environmentNames } from '../contracts/setting-names';
import { indexSettingsOf } from '../contracts/settings';
import { FetchError, hostAndPort, parseWebAddress } from '../sources/fetch-address';
import type { FetcherOptions } from '../sources/fetcher';
import type { ImportedPages, Pages } from '../sources/pages';
import { createSearchIndexes, type SearchIndexes } from '../sources/search-service';
import type { DerivedStore } from '../stores/stores';
import type { Config } from './config';
import { packageVersion } from './package-version';

/** Adds the user agent, with the contact in the form that crawlers use. */
function configuredFetch({ contact, ...settings }: Config['fetch']): FetcherOptions {
  const name = `Colligate/${packageVersion()}`;
  if (contact === null) return { ...settings, userAgent: name };
  const told = contact.includes('://') ? contact : `mailto:${contact}`;
  return { ...settings, userAgent: `${name} (+${told})` };
}

/** Keeps original files only if `derived` is given. The HTTP client and the format parsers load with the first page. */
export function configuredPages({ fetch }: Pick<Config, 'fetch'>, derived: DerivedStore | null): Pages {
  return {
    open(importing) {
      let opened: Promise<ImportedPages> | null = null;
      const open = (): Promise<ImportedPages> => {
        opened ??= import('../sources/pages.js').then(({ createPages }) =>
          createPages({ fetch: configuredFetch(fetch), derived }).open(importing),
        );
        return opened;
      };
      return {
        async *read(...given) {
          yield* (await open()).read(...given);
        },
        keepOriginal: derived === null ? undefined : async (bytes) => (await open()).keepOriginal?.(bytes),
        originalOf: async (sha256) => (await open()).originalOf(sha256),
        handOver: async () => (await opened)?.handOver(),
        takeBack: async () => (await opened)?.takeBack(),
        close: async () => (await opened)?.close(),
      };
    },
  };
}

export function configuredIndexes(config: Pick<Config, 'fetch' | 'search'>): SearchIndexes {
  return createSearchIndexes({
    fetch: configuredFetch(config.fetch),
    keyOf: (name) => indexSettingsOf(config, name).key?.reveal() ?? null,
  });
}

/** Adds configured defaults to a search. The result is stored with the run and contains no keys. */
export function configuredSearch(
  config: Pick<Config, 'fetch' | 'search'>,
  { indexes, ...bounds }: RequestedSearch,
): RequestedSearch {
  return {
    ...SearchBounds.parse(config.search),
    ...bounds,
    indexes: indexes.map((index) =>
      typeof index === 'string' && Object.hasOwn(config.search, index)
        ? { name: index, settings: indexSettingsOf(config, index).settings }
        : index,
    ),
  };
}

export function searchProblems(config: Pick<Config, 'fetch' | 'search'>, search: RequestedSearch): string[] {
  return configuredIndexes(config).problems(resolveSearch(configuredSearch(config, search)).indexes);
}

type Settings = Pick<Config, 'fetch' | 'webhooks'>;

/** Null if no signing secret is set. */
export function configuredWebhooks({ fetch, webhooks: { secret } }: Settings): Webhooks | null {
  // Webhooks need no pause between requests, unlike crawled sites.
  return secret === null
    ? null
    : createWebhooks({ fetch: { ...configuredFetch(fetch), paceMs: 0 }, secret: secret.reveal() });
}

/** Problem of a webhook address, as the rest of a sentence that begins with `webhook`; null if there is none. */
export function webhookProblem({ fetch, webhooks }: Settings, url: string): string | null {
  if (webhooks.secret === null)
    return `needs a secret to be signed with, which the server has not: set ${environmentNames['webhooks.secret']}`;
  try {
    const allowed = new Set(fetch.allow);
    const { protocol, ...address } = parseAddress(url, allowed);
    return protocol === 'https:' || allowed.has(address.host)
      ? null
      : 'is an address without TLS, where others could read along; give one that begins with https://';
  } catch (error) {
    if (error instanceof FetchError) return `leads nowhere: ${error.reason}`;
    throw error;
  }
}

function parseAddress(url: string, allowed: ReadonlySet<string>): { protocol: string; host: string } {
  const address = parseWebAddress(url, allowed);
  return { protocol: address.protocol, host: hostAndPort(address) };
}
