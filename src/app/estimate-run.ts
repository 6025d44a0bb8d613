import { type AskedEstimate, estimateAsked, type EstimatedRun } from '../client/starting/estimate-request';
import type { Config } from '../config/config';
import { openStores } from '../stores/open-stores';
import { configuredPages } from './configured-pages';

/** What a run is expected to ask of models; no server is needed, and nothing is stored. */
export async function estimateRun(config: Config, asked: AskedEstimate): Promise<EstimatedRun> {
  const stores = await openStores(config);
  try {
    const { content, derived } = stores;
    return await estimateAsked({ content, pages: configuredPages(config, derived), cwd: config.cwd }, asked);
  } finally {
    await stores.close();
  }
}
