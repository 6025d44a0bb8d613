import type { SourceQuality } from '../../contracts/source/source';
import type { QualityRule } from '../../contracts/source/quality-rule';
import data from './data/source-quality-rules.json';
import { parsedUrl } from '../values/parsed-url';

/** The first that fits decides. */
export const QUALITY_RULES: readonly (QualityRule & { publishes?: 'article' | 'preprint' })[] =
  data.rules as readonly (QualityRule & { publishes?: 'article' | 'preprint' })[]; // a test holds the data against the schema

/**
 * Rates a source by who stands behind its address, with a reason for the reader. What a source says of itself (its
 * title, site or text) never makes it authoritative: whoever writes a page can write that too.
 */
export function rateSource(
  source: { url?: string | null; site?: string },
  rules: readonly QualityRule[] = QUALITY_RULES,
): SourceQuality {
  if (source.url === undefined || source.url === null) {
    return { level: 'general', reason: 'no address by which its publisher could be told' };
  }
  const parsed = parsedUrl(source.url);
  if (parsed === null) return { level: 'general', reason: 'no web address' };
  const { protocol, hostname, pathname } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return { level: 'general', reason: 'no web address' };
  const host = hostOf(hostname);
  const rule = rules.find((candidate) => fits(candidate, host.split('.'), pathname.toLowerCase()));
  return rule === undefined
    ? { level: 'general', reason: `${host}: ${'a web page, nothing known of its publisher'}` }
    : { level: rule.level, reason: `${host}: ${rule.reason}` };
}

/** What is published at an address, by who stands behind it; null where that is neither of the two. */
export function publishedAt(url: string): 'article' | 'preprint' | null {
  const parsed = parsedUrl(url);
  if (parsed === null) return null;
  const labels = hostOf(parsed.hostname).split('.');
  return QUALITY_RULES.find((rule) => fits(rule, labels, parsed.pathname.toLowerCase()))?.publishes ?? null;
}

function hostOf(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function fits(rule: QualityRule, labels: readonly string[], path: string): boolean {
  return (
    (rule.domains === undefined || rule.domains.some((domain) => liesBelow(labels, domain.split('.')))) &&
    (rule.hostStarts === undefined || (labels.length > 2 && rule.hostStarts.includes(labels[0] ?? ''))) &&
    (rule.path === undefined || new RegExp(rule.path).test(path))
  );
}

/**
 * True where the host ends with the domain's labels; `*` is any country (two letters), so that `gov.*` is not
 * `gov.example.com`.
 */
function liesBelow(labels: readonly string[], domain: readonly string[]): boolean {
  const end = labels.slice(-domain.length);
  return (
    end.length === domain.length &&
    domain.every(
      (label, index) => label === end[index] || (label === '*' && /^[a-z]{2}$/.test(end[index] ?? '')),
    )
  );
}
