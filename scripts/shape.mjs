// `node scripts/shape.mjs [folder of a checkout]`: whether long files explain themselves, and tests and the drawing follow src.
import { root } from './checkout.mjs';
import { shapeProblems } from './shape/shape-problems.mjs';

const problems = shapeProblems(process.argv[2] ?? root);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
