import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../../src/app/package-version';
import { openApiDocument } from '../../src/http/openapi';

test('the committed document is what the routes give; `npm run schemas` writes it anew', async () => {
  const committed: unknown = JSON.parse(
    readFileSync(join(__dirname, '..', '..', 'docs', 'openapi.json'), 'utf8'),
  );
  expect(committed).toEqual(await openApiDocument(packageVersion()));
});
