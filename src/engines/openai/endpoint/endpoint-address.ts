/** Where an API may be. */
export interface ApiAddresses {
  /** Most likely first; the same API is at one of them. */
  paths: readonly [string, string];
  /** What the address had after its question mark; some gateways want a version there. */
  query: Record<string, string>;
}

/** People write an API's address with and without `/v1`, with a slash at its end, and with the path of a request. */
export function apiAddresses(baseUrl: string): ApiAddresses {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  const hasVersion = /\/v\d+[a-z]*\d*$/.test(path);
  const without = hasVersion ? path.slice(0, path.lastIndexOf('/')) : path;
  const withVersion = hasVersion ? path : `${path}/v1`;
  // A bare host is nearly always the server of an API at /v1; any other path was written on purpose.
  const [first, second] = hasVersion || path === '' ? [withVersion, without] : [without, withVersion];
  return { paths: [`${url.origin}${first}`, `${url.origin}${second}`], query };
}
