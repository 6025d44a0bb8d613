// `npm run demo`: everything from a fresh clone to a finished report.
import { runCommandLine } from './run-command-line.mjs';

await runCommandLine(['demo', ...process.argv.slice(2)]);
