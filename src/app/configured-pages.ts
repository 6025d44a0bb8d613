import type { Config } from '../config/config';
import { createPages } from '../sources/pages/pages';
import type { Pages } from '../sources/pages/page-reader';
import type { DerivedStore } from '../stores/derived-store';
import { configuredFetch } from './configured-fetch';

/** Reads pages as the settings allow it, and keeps their originals where there is a store. */
export function configuredPages({ fetch }: Pick<Config, 'fetch'>, derived: DerivedStore | null): Pages {
  return createPages({ fetch: configuredFetch(fetch), derived });
}
