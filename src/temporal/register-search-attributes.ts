import type { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../platform/error-message';
import { searchAttributeKeys } from './search-attributes';

/** `reason` says why runs have to do without search attributes; null where they can be used. */
export type SearchAttributeRegistration =
  { available: true; reason: null } | { available: false; reason: string };

/**
 * Makes sure that the server knows the search attributes, and says whether runs may use them. Never throws: without
 * them a run works as well, and is only harder to find.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  options: { timeoutMs?: number } = {},
): Promise<SearchAttributeRegistration> {
  const deadline = Date.now() + (options.timeoutMs ?? 10_000);
  try {
    const known = await connection.withDeadline(deadline, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    const wanted = searchAttributeKeys.map(({ name, type }) => ({
      name,
      type: encodeSearchAttributeIndexedValueType(type),
      knownType: known.customAttributes[name],
    }));
    const clash = wanted.find(({ type, knownType }) => knownType !== undefined && knownType !== type);
    if (clash !== undefined) {
      return { available: false, reason: `the server knows ${clash.name} as an attribute of another type` };
    }
    const missing = wanted.filter(({ knownType }) => knownType === undefined);
    if (missing.length === 0) return { available: true, reason: null };

    await connection.withDeadline(deadline, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, type ?? 0])),
      }),
    );
    return await waitUntilUsable(
      connection,
      namespace,
      missing.map(({ name }) => name),
      deadline,
    );
  } catch (error) {
    return { available: false, reason: `they could not be registered: ${errorMessage(error)}` };
  }
}

/** A server's caches learn of a new attribute some moments after it was added; a start before that is refused. */
async function waitUntilUsable(
  connection: Connection,
  namespace: string,
  names: string[],
  deadline: number,
): Promise<SearchAttributeRegistration> {
  const query = names.map((name) => `${name} IS NOT NULL`).join(' OR ');
  for (;;) {
    try {
      await connection.withDeadline(deadline, () =>
        connection.workflowService.countWorkflowExecutions({ namespace, query }),
      );
      return { available: true, reason: null };
    } catch (error) {
      if (Date.now() + 100 > deadline) {
        return { available: false, reason: `the server does not accept them yet: ${errorMessage(error)}` };
      }
      await sleep(100);
    }
  }
}
