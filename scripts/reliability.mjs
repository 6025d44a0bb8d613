// `npm run reliability`: what becomes of a report where the model, the store or the server fails, and what it costs. Every run
// is a fresh folder with a server and a worker as separate processes, over the notes in examples/, against a scripted model.
//   npm run reliability -- [--only hang,429] [--every 5,2] [--away 180] [--kills 20] [--limit 30] [--seed 1]
//   npm run reliability -- --flood 3
// `--flood`: instead of these, so often 20,000 signals, 2,000 updates and 500 queries at one run, with 40 runs of all kinds beside it.
// `--away`: seconds for which the endpoint and the store are gone; `--limit`: minutes after which a run counts as not ended.
import { becomeTestScript } from './run-test-script.mjs';

await becomeTestScript('reliability/reliability.ts');
