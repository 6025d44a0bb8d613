// `npm run -s colligate -- …`
import { runCommandLine } from './run-command-line.mjs';

await runCommandLine(process.argv.slice(2));
