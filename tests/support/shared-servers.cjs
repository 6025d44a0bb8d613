// Before all tests: the folder of the Temporal servers that test files share (`temporal-server.ts`).
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

module.exports = async () => {
  process.env.COLLIGATE_TEST_SERVERS = mkdtempSync(join(tmpdir(), 'colligate-servers-'));
};
