// `npm run chaos`: two workers, Redis and the Temporal server, each killed on what is seen of a run while work is held; Redis
// restarted and filled up. Held against the same runs undisturbed.
//   npm run chaos -- [--seed 1] [--kills 24] [--limit 15] [--short]
// `--limit`: minutes after which a run counts as not ended; `--short` is the form for CI.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './checkout.mjs';
import { prepareServices } from './services/services.mjs';
import { setUp } from './setup.mjs';

await setUp();
const { loadConfig } = createRequire(import.meta.url)(join(root, 'dist', 'config', 'config.js'));
await prepareServices({ config: loadConfig(), say: (line) => process.stderr.write(`${line}\n`) });
const chaos = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'tests', 'system', 'chaos', 'chaos.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
const [code] = await once(chaos, 'exit');
process.exitCode = code ?? 1;
