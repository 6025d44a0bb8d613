import { join } from 'node:path';
import { type SourceEntry, SourceManifest } from '../../src/contracts/source';
import { importSources } from '../../src/sources/import-sources';
import { createPages, type Pages } from '../../src/sources/pages';
import { readSources } from '../../src/sources/read-sources';
import type { Stores } from '../../src/stores/stores';
import { openLmdbStores } from '../stores/open-lmdb-stores';
import { forAllTests } from '../support/for-all-tests';
import { type LoggingServer, startLoggingServer } from '../support/logging-server';
import { type SourceFolder, useSourceFolder } from './source-folder';

export interface Imported {
  manifestRef: string;
  sources: SourceEntry[];
  warnings: string[];
  textOf: (entry: SourceEntry | undefined) => Promise<string | null>;
}

interface ImportOptions {
  runId?: string;
  isRetried?: boolean;
  skipInvalid?: boolean;
}

/** Imports into a store of each test's own, from a server on this machine that has two names. */
export interface ImportsUnderTest {
  server: LoggingServer;
  folder: SourceFolder;
  stores: Stores;
  pages: Pages;
  at(path: string, name?: string): string;
  imported(paths: readonly string[], options?: ImportOptions): Promise<Imported>;
  reopened(): Promise<void>;
}

export function useImports(): ImportsUnderTest {
  const server = forAllTests(startLoggingServer);
  const folder = useSourceFolder();
  let stores: Stores;
  beforeEach(async () => {
    stores = await openLmdbStores(join(folder.path, 'data'));
  });
  afterEach(() => stores.close());
  const pagesOf = (): Pages =>
    createPages({
      fetch: {
        userAgent: 'Colligate/test',
        allow: ['one', 'two'].map((name) => `${name}.example:${server.port}`),
        paceMs: 0,
        resolve: async () => ['127.0.0.1'],
      },
      derived: stores.derived,
    });
  return {
    server,
    folder,
    get stores() {
      return stores;
    },
    at: (path, name = 'one.example') => `http://${name}:${server.port}${path}`,
    get pages() {
      return pagesOf();
    },
    async imported(paths, { runId = 'run-1', isRetried = false, skipInvalid = true } = {}) {
      const pages = pagesOf().open({ runId, isRetried });
      try {
        const { content } = stores;
        const readings = readSources(paths, { pages });
        const asked = { runId, readings, content, pages, skipInvalid, isRetried };
        const { manifestRef } = await importSources(asked);
        const { sources, warnings } = SourceManifest.parse(
          JSON.parse((await content.retrieve(manifestRef)) ?? 'null'),
        );
        return {
          manifestRef,
          sources,
          warnings: warnings.map(({ message }) => message),
          textOf: async (entry) => (entry === undefined ? null : content.retrieve(entry.contentRef)),
        };
      } finally {
        await pages.close();
      }
    },
    async reopened() {
      await stores.close();
      stores = await openLmdbStores(join(folder.path, 'data'));
    },
  };
}
