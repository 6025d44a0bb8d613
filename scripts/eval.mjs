// `npm run -s eval -- SUITE …`: measures the built product on questions whose answers are known, in this process, without a
// server. One line of JSON on standard output; docs/evaluation.md says what each figure means.
import { readCall } from './eval/read-call.mjs';
import { SUITES } from './eval/suites.mjs';
import { UsageError } from './eval/usage-error.mjs';
import { setUp } from './setup.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

try {
  const { name, file, more, values } = readCall(process.argv.slice(2));
  await setUp();
  if (name === 'all') {
    const { allSuites } = await import('./eval/all.mjs');
    process.exitCode = await allSuites({ ...values, say });
  } else {
    const figures = await SUITES[name].run(file, { ...values, say }, more);
    process.stdout.write(`${JSON.stringify({ suite: name, ...figures })}\n`);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(error.message);
  process.exitCode = 2;
}
