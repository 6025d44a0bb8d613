// `npm run schemas`: writes the JSON Schemas of docs/interface.md anew from the contracts. A test says when they are stale.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedSchemas, SCHEMA_FOLDER } from './published-schemas';

const folder = join(__dirname, '..', SCHEMA_FOLDER);
mkdirSync(folder, { recursive: true });
for (const { file, text } of publishedSchemas()) writeFileSync(join(folder, file), text);
