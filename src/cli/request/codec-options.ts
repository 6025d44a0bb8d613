import { parsedUrl } from '../../core/values/parsed-url';
import { toldValue } from '../../core/values/told-value';
import { readKeyFile } from '../../config/key-file';
import { locatedFile } from '../../platform/given-file';
import { Secret } from '../../platform/secret';
import { UsageError } from '../failures/usage-error';
import { isLoopback } from '../../platform/loopback';

export interface CodecOptions {
  port: string;
  host: string;
  origin: string[];
  tokenFile?: string;
}

/** Where the endpoint is to be, and whom it answers; no origins are those of the server's own Web UI. */
export interface CodecRequest {
  port: number;
  host: string;
  origins: string[];
  token: Secret | null;
}

/** Throws a `UsageError` with everything that is wrong. */
export function codecRequest({ port, host, origin, tokenFile }: CodecOptions, cwd: string): CodecRequest {
  const problems: string[] = [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    problems.push(
      `--port is ${toldValue(port)}; it has to be a whole number from 0 to 65535, and 0 takes a free one.`,
    );
  const origins = origin.map((text) => {
    const url = parsedUrl(text);
    if (url === null || !/^https?:$/.test(url.protocol) || !['', '/'].includes(url.pathname))
      problems.push(
        `--origin is ${toldValue(text)}; it has to be the address of a site, such as http://localhost:8233.`,
      );
    return url?.origin ?? text;
  });
  const token = tokenFile === undefined ? null : readKeyFile(locatedFile(cwd, tokenFile));
  if (token !== null && !(token instanceof Secret)) problems.push(`--token-file has to be ${token.allowed}.`);
  if (!isLoopback(host) && tokenFile === undefined)
    problems.push(
      `--host is ${toldValue(host)}, which others reach, and whoever reaches the endpoint reads what is encrypted. Give it a token with --token-file as well, and put it behind TLS.`,
    );
  if (problems.length > 0 || (token !== null && !(token instanceof Secret))) throw new UsageError(problems);
  return { port: Number(port), host, origins, token };
}
