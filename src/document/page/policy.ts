import { createHash } from 'node:crypto';

/** The page may load nothing, ask `asked` alone, and carry out the one style and the one script that these are. */
export function contentSecurityPolicy(style: string, script: string, asked: "'none'" | "'self'"): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    `form-action ${asked}`,
    `connect-src ${asked}`,
  ].join('; ');
}

function hashOf(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline, 'utf8').digest('base64')}'`;
}
