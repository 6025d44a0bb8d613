// Where real articles and questions are looked for, which do not ship with the project; tests look in the same place
// (tests/support/shared-data.ts).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './checkout.mjs';

export const dataFolder = resolve(root, process.env.COLLIGATE_DATA ?? '../shared/data');
export const hasDataFolder = existsSync(dataFolder);
