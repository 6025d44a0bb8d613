import { join } from 'node:path';
import { promptSecret } from '../../src/stores/lmdb/prompt-secret';

/** Asks for the secrets of numbered folders when it is told to, as processes do that start at the same time. */
const [folder = '', count = '0'] = process.argv.slice(2);
process.once('message', () => {
  const secrets: string[] = [];
  try {
    for (let number = 0; number < Number(count); number += 1)
      secrets.push(promptSecret(join(folder, `${number}`)));
    process.send?.({ secrets });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
  process.disconnect();
});
process.send?.('ready');
