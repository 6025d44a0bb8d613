import type { Config } from '../config/config';
import type { FetcherOptions } from '../fetch/fetcher';
import { packageVersion } from './package-version';

/** How this product asks for pages and asks indexes; whom one may write to about it stands in its name as crawlers have it. */
export function configuredFetch({ contact, ...settings }: Config['fetch']): FetcherOptions {
  const name = `Colligate/${packageVersion()}`;
  if (contact === null) return { ...settings, userAgent: name };
  const told = contact.includes('://') ? contact : `mailto:${contact}`;
  return { ...settings, userAgent: `${name} (+${told})` };
}
