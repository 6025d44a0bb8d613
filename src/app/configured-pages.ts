import type { Config } from '../config/config';
import type { ImportedPages, Pages } from '../sources/pages/page-reader';
import type { DerivedStore } from '../stores/derived-store';
import { configuredFetch } from './configured-fetch';

/**
 * Reads pages as the settings allow it, and keeps their originals where there is a store. The HTTP client and the readers of formats load
 * with the first page.
 */
export function configuredPages({ fetch }: Pick<Config, 'fetch'>, derived: DerivedStore | null): Pages {
  return {
    open(importing) {
      let opened: Promise<ImportedPages> | null = null;
      const open = (): Promise<ImportedPages> => {
        opened ??= import('../sources/pages/pages.js').then(({ createPages }) =>
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
