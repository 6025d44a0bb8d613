// `npm run chaos`: two workers, Redis and the Temporal server, each killed on what is seen of a run while work is held; Redis
// restarted and filled up. Held against the same runs undisturbed.
//   npm run chaos -- [--seed 1] [--kills 24] [--limit 15] [--short]
// `--limit`: minutes after which a run counts as not ended; `--short` is the form for CI.
import { becomeTestScript } from './run-test-script.mjs';

await becomeTestScript('chaos/chaos.ts');
