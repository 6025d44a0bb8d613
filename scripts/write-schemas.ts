import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../src/app/package-version';
import { openApiDocument } from '../src/http/server';
import { openApiText, publishedSchemas, SCHEMA_FOLDER } from './published-schemas';

// `npm run schemas`: writes the JSON Schemas of docs/interface.md and the OpenAPI document anew from the contracts. Tests say when
// they are stale.

const folder = join(__dirname, '..', SCHEMA_FOLDER);
mkdirSync(folder, { recursive: true });
for (const { file, text } of publishedSchemas()) writeFileSync(join(folder, file), text);
void openApiDocument(packageVersion()).then((document) =>
  writeFileSync(join(__dirname, '..', 'docs', 'openapi.json'), openApiText(document)),
);
