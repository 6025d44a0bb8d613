import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's agent of every virtual machine: an address of the public range that leads into the machine's own network. */
const INSIDE_AZURE = '168.63.129.16';

/** All that is given out of IPv6 (IANA); `::/96`, which holds IPv4 addresses, and whatever a range forgets lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

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
export function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}
