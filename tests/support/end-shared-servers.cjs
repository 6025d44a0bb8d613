// After all tests: ends the servers that they shared.
const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');

module.exports = async () => {
  const folder = process.env.COLLIGATE_TEST_SERVERS;
  for (const worker of readdirSync(folder)) {
    const record = join(folder, worker, 'shared.json');
    if (!existsSync(record)) continue; // it did not start
    const { pid } = JSON.parse(readFileSync(record, 'utf8'));
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
};
