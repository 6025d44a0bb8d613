import { parsedUrl } from '../core/values/parsed-url';

/** An address of the web, without a name or a password in it; null for any other, such as `javascript:`. */
export function webAddress(url: string | null): string | null {
  const parsed = parsedUrl(url ?? '');
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return null;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
