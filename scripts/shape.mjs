// `node scripts/shape.mjs [folder of a checkout]`: whether files and folders are of a size that a reader takes in.
import { root } from './checkout.mjs';
import { shapeProblems } from './shape/shape-problems.mjs';

const problems = shapeProblems(process.argv[2] ?? root);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
