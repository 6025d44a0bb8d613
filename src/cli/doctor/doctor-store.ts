import type { Config } from '../../config/config';
import { errorMessage } from '../../platform/error-message';
import { openStores, storesExist } from '../../stores/open-stores';
import { ok, type Finding } from './doctor-finding';

export async function examineStore(config: Config): Promise<Finding[]> {
  try {
    const isOfFiles = config.stores === 'lmdb';
    if (isOfFiles && !(await storesExist(config))) return [ok('store', 'will be made with the first run')];
    const stores = await openStores(config);
    try {
      const { artifacts } = await stores.content.statistics();
      const runs = await stores.events.runs();
      return [ok('store', `${runs.length} runs, ${artifacts} stored texts`)];
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
