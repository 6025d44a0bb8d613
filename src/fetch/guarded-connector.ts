import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { parsedUrl } from '../core/values/parsed-url';
import { errorCode } from '../platform/error-code';
import { FetchError } from './fetch-error';
import { hostAndPort, type AllowedHosts } from './web-address';
import ipaddr from 'ipaddr.js';

/** Azure's agent of every virtual machine: an address of the public range that leads into the machine's own network. */
const INSIDE_AZURE = '168.63.129.16';

/** All that is given out of IPv6 (IANA); `::/96`, which holds IPv4 addresses, and whatever a range forgets lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface ConnectorOptions {
  allowed: AllowedHosts;
  connectMs: number;
  resolve: Resolve;
}

/** One of several addresses of a host may take so long before the next is tried too. */
const NEXT_ADDRESS_MS = 2_500;

/** As the system resolves names, its hosts file included. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * Opens the socket of a request. A name is resolved once, every address of the answer is checked, and the socket may go to these
 * alone; whom it has reached is looked at before the request is written. An address in the place of a name is resolved by nobody,
 * which is why the whole connector is wrapped and not its lookup.
 */
export function guardedConnector(
  { allowed, connectMs, resolve }: ConnectorOptions,
  build: typeof buildConnector = buildConnector,
): buildConnector.connector {
  return (options, callback) => {
    const host = parsedUrl(`${options.protocol}//${options.host ?? options.hostname}`);
    if (host === null) return callback(new Error(`no host: ${options.hostname}`), null);
    const connect = async (): Promise<void> => {
      const addresses = await checkedAddresses(host, { allowed, resolve });
      const connector = build({
        timeout: connectMs,
        lookup: answering(addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      });
      connector(options, (...[error, socket]) => {
        if (error !== null) return callback(unreachable(host, error), null);
        const peer = canonicalAddress(socket.remoteAddress ?? '');
        if (addresses.includes(peer)) return callback(null, socket);
        socket.destroy();
        callback(
          new FetchError(
            'not-public',
            host,
            `the connection led to ${peer || 'nowhere'}, which was not checked`,
          ),
          null,
        );
      });
    };
    connect().catch((error: unknown) => callback(unreachable(host, error), null));
  };
}

/** All addresses of a host, each in its one spelling. One that is not public refuses all of them: answers that mix are made to be mixed up. */
async function checkedAddresses(
  host: URL,
  { allowed, resolve }: Pick<ConnectorOptions, 'allowed' | 'resolve'>,
): Promise<string[]> {
  const name = host.hostname.replace(/^\[|\]$/g, '');
  const answer = isIP(name) === 0 ? await resolve(name) : [name];
  const addresses = [...new Set(answer.map(canonicalAddress))];
  if (addresses.length === 0) throw new FetchError('unreachable', host, 'its host has no address', true);
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (inside === undefined || allowed.has(hostAndPort(host))) return addresses;
  throw new FetchError(
    'not-public',
    host,
    `it leads to ${inside}, which is no public address; where it is meant, allow ${hostAndPort(host)} by fetch.allow`,
  );
}

/** Answers with what was checked, and asks nobody. */
function answering(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true || first === undefined) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

const NOT_TRUSTED =
  'its certificate is not trusted; an authority of your own is named by NODE_EXTRA_CA_CERTS';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known; look at how it is spelled',
  EAI_AGAIN: 'its host cannot be looked up now; look at the network, and try again',
  ECONNREFUSED: 'nobody listens there; look at its port, or try again later',
  ERR_TLS_CERT_ALTNAME_INVALID: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  CERT_HAS_EXPIRED: NOT_TRUSTED,
  UND_ERR_CONNECT_TIMEOUT: 'its host does not answer; try again later',
};

function unreachable(host: URL, error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const code = errorCode(error) ?? 'unknown';
  const reason = REASONS[code] ?? `its host cannot be connected to (${code}); try again later`;
  return new FetchError('unreachable', host, reason, code !== 'ENOTFOUND' && reason !== NOT_TRUSTED);
}

/**
 * Whether an IP address is one of the public internet: neither this machine, its network, a provider's inside, nor an address
 * that holds another one (mapped, NAT64, 6to4, Teredo). What is no IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === INSIDE_AZURE) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** One spelling for one address: mapped IPv4 is IPv4. What is no IP address comes back as it is. */
function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}
