import { parsedUrl } from '../../core/values/parsed-url';

/** How names of parameters end that let somebody in: of clouds' signed addresses (X-Amz-Signature, sig, Key-Pair-Id), and of keys. */
const LETS_IN =
  /(?:sig|signature|token|key|key-pair-id|secret|passwd|password|auth|credential|session|jwt)$/i;

/** Whether an address holds a key, so that whoever reads it has what it leads to. */
export function isSigned(address: string): boolean {
  const url = parsedUrl(address);
  if (url === null) return false;
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => LETS_IN.test(name))
  );
}

/** What stands in a report for a page: where it lies in the end, or as it was given; never a key. */
export function citedAddress(given: string, finalUrl: string): string {
  const unsigned = [finalUrl, given].find((address) => !isSigned(address));
  if (unsigned !== undefined) return unsigned;
  const url = new URL(finalUrl);
  return `${url.origin}${url.pathname}`;
}

export function isAddress(given: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given.trim());
}
