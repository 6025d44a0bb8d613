import { parseArgs } from 'node:util';
import { SUITES } from './suites.mjs';
import { UsageError } from './usage-error.mjs';

/** Of these only whole numbers from 1 on are taken. */
const COUNTS = ['questions', 'seed', 'sample'];

/** Which suite is asked for, with its file and its options. */
export function readCall([name, ...rest]) {
  const names = [...Object.keys(SUITES), 'all'].join(', ');
  if (name === undefined) throw new UsageError(`Name a suite: ${names}.`);
  if (name === 'all') return { name, ...parsed(rest, { short: { type: 'boolean' } }, 'all [--short]') };
  const suite = SUITES[name];
  if (suite === undefined) throw new UsageError(`There is no suite "${name}"; there are ${names}.`);
  const { values, positionals } = parsed(rest, suite.options, suite.usage);
  const [file, ...more] = positionals;
  const usage = `use it as: ${suite.usage}`;
  if (suite.needsFile === false) {
    if (file === undefined && values.sources === undefined)
      throw new UsageError(`The suite ${name} needs --sources; ${usage}.`);
    return { name, file, more, values };
  }
  if (file === undefined) throw new UsageError(`The suite ${name} needs a file or folder; ${usage}.`);
  if (more.length > 0 && suite.takesMore !== true)
    throw new UsageError(`"${more[0]}" is one argument too many; ${usage}.`);
  if ('sources' in suite.options && values.sources === undefined)
    throw new UsageError(`The suite ${name} needs --sources; ${usage}.`);
  return { name, file, more, values };
}

function parsed(args, options, usage) {
  let call;
  try {
    call = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Node's own sentence goes on with advice on how to write such an argument.
    throw new UsageError(`${error.message.split('. ')[0]}; use it as: ${usage}.`);
  }
  const values = { ...call.values };
  for (const option of COUNTS) {
    if (values[option] === undefined) continue;
    const count = Number(values[option]);
    if (!Number.isInteger(count) || count < 1)
      throw new UsageError(`--${option} is "${values[option]}"; a whole number from 1 on is allowed.`);
    values[option] = count;
  }
  return { values, positionals: call.positionals };
}
