import { extractFindings } from '../../../src/steps/extract-findings';
import { openStores } from '../../../src/stores/open-stores';
import { context, engineOn } from './engine-under-test';
import { extractInput } from './material';

/** A process of its own that asks what the tests ask, on the same store and server, and tells what it used. */
async function ask(dataDir: string, baseUrl: string, leaseMs: number): Promise<void> {
  const stores = await openStores({ stores: 'lmdb', dataDir });
  const engine = engineOn({ baseUrl, cache: stores.responses, leaseMs });
  const running = engine.run(extractFindings, extractInput(['study-c']), context({ runId: 'run-of-child' }));
  process.send?.('asking');
  const { usage } = await running;
  process.send?.({ usage });
  await stores.close();
}

const [dataDir = '', baseUrl = '', leaseMs = '15000'] = process.argv.slice(2);
void ask(dataDir, baseUrl, Number(leaseMs)).finally(() => process.disconnect());
