// `npm run -s eval -- SUITE …`: measures the built product on questions whose answers are known, in this process, without a
// server. One line of JSON on standard output; docs/evaluation.md says what each figure means.
import { runTypeScript } from './run-typescript.mjs';

const { evaluate } = await runTypeScript('./eval/command.ts');
process.exitCode = await evaluate(process.argv.slice(2));
