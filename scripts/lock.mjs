// `node scripts/lock.mjs [folder of a checkout]`: whether package-lock.json has all that package.json and the locked
// packages ask for. npm leaves packages for other systems out when it makes the file beside a node_modules without them
// or from a registry that lacks them; `npm ci` then refuses it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from './checkout.mjs';

const folder = process.argv[2] ?? root;
const [project, { packages }] = ['package.json', 'package-lock.json'].map((name) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')),
);

/** Whether Node would find the package from where another lies: there, or in a folder above. */
function isLocked(name, from) {
  if (packages[`${from}${from && '/'}node_modules/${name}`] !== undefined) return true;
  return from !== '' && isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

const problems = ['version', 'engines', 'dependencies', 'devDependencies']
  .filter((key) => !isDeepStrictEqual(project[key], packages[''][key]))
  .map(
    (key) => `package-lock.json has other ${key} than package.json: run "npm install --package-lock-only".`,
  );
for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
  const asker = path.split('node_modules/').at(-1) || 'package.json';
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    if (isLocked(name, path)) continue;
    problems.push(
      `package-lock.json lacks ${name} ${version}, which ${asker} asks for: run "npm install --package-lock-only" in a ` +
        'copy of package.json, .npmrc and package-lock.json without node_modules, with a registry that has it.',
    );
  }
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
