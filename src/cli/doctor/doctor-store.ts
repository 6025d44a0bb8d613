import type { Config } from '../../config/config';
import { errorMessage } from '../../platform/error-message';
import { openStores, storesExist } from '../../stores/open-stores';
import { ok, type Finding } from './doctor-finding';

/** Whether the stores can be read, and are set up so that nothing is lost. */
export async function examineStore(config: Config): Promise<Finding[]> {
  try {
    const isOfFiles = config.stores === 'lmdb';
    if (isOfFiles && !(await storesExist(config))) return [ok('store', 'will be made with the first run')];
    const stores = await openStores(config);
    try {
      const { artifacts } = await stores.content.statistics();
      const runs = await stores.events.runs();
      const findings = await stores.examine();
      return [
        ok('store', `${runs.length} runs, ${artifacts} stored texts`),
        ...findings.map(({ level, message }): Finding => ({
          name: 'store',
          state: level === 'error' ? 'problem' : 'note',
          detail: message,
          advice: null,
        })),
      ];
    } finally {
      await stores.close();
    }
  } catch (error) {
    return [
      {
        name: 'store',
        state: 'problem',
        detail: errorMessage(error),
        advice:
          config.stores === 'lmdb'
            ? 'Name another folder with COLLIGATE_DATA_DIR, or mend this one.'
            : 'Look at the server that keeps the stores, and at the address that this machine has of it.',
      },
    ];
  }
}
