import type { Config } from '../config/config';
import { createPages } from '../sources/pages/pages';
import type { Pages } from '../sources/pages/page-reader';
import type { DerivedStore } from '../stores/derived-store';
import { packageVersion } from './package-version';

/** Reads pages as the settings allow it, and keeps their originals where there is a store. */
export function configuredPages({ fetch }: Pick<Config, 'fetch'>, derived: DerivedStore | null): Pages {
  const { contact, ...settings } = fetch;
  return createPages({ fetch: { ...settings, userAgent: userAgent(contact) }, derived });
}

/** The address of whoever fetches stands in it as that of crawlers does. */
function userAgent(contact: string | null): string {
  const name = `Colligate/${packageVersion()}`;
  if (contact === null) return name;
  return `${name} (+${contact.includes('://') ? contact : `mailto:${contact}`})`;
}
