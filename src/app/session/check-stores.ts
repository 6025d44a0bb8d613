import { StoreSetupError } from '../../stores/errors/store-setup-error';
import type { Stores } from '../../stores/stores';
import type { Tell } from './news';

/**
 * Looks whether the stores keep what runs give them, before any is done: throws `StoreSetupError` where they would not, and
 * tells what may go wrong.
 */
export async function checkStores(stores: Pick<Stores, 'examine'>, tell: Tell): Promise<void> {
  const findings = await stores.examine();
  const problems = findings.filter(({ level }) => level === 'error');
  if (problems.length > 0) throw new StoreSetupError(problems.map(({ message }) => message));
  for (const { message } of findings) tell({ what: 'store-finding', line: message });
}
