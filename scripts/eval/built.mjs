// What is measured is the built product, as a user has it.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

const require = createRequire(import.meta.url);

export const built = (file) => require(join(root, 'dist', file));
