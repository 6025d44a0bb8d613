import { appendFile } from 'node:fs/promises';
import type { App } from '../face';
import { isSafe } from './is-safe';

/** A line of the audit log: what was let in to change something, or what came of it. Times are ISO 8601. */
export type AuditEntry =
  | {
      at: string;
      request: string;
      owner: string;
      /** Null for whoever is let in without one. */
      token: string | null;
      method: string;
      path: string;
    }
  | { at: string; request: string; method: string; path: string; status: number };

export interface AuditOptions {
  /** Keeps an entry; what cannot be told here is not done. */
  audit: (entry: AuditEntry) => Promise<void>;
}

/** Tells who asks to change something before it is done, and what was answered, refusals too. What was sent is not told. */
export function auditChanges(app: App, now: () => Date, { audit }: AuditOptions): void {
  app.addHook('preValidation', async ({ id, caller, method, url }) => {
    // Of what anybody may do nobody is known.
    const who = caller as typeof caller | undefined;
    if (isSafe(method) || who === undefined) return;
    const { owner, tokenId: token } = who;
    await audit({ at: now().toISOString(), request: id, owner, token, method, path: pathOf(url) });
  });
  app.addHook('onResponse', async ({ id, method, url }, { statusCode: status }) => {
    if (!isSafe(method))
      await audit({ at: now().toISOString(), request: id, method, path: pathOf(url), status });
  });
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Keeps the log in a file, a line of JSON an entry, for all processes of the machine that name it. */
export function auditFile(file: string): AuditOptions['audit'] {
  return (entry) => appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}
