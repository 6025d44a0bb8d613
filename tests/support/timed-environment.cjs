// Node's environment, which keeps where the time of a test file goes (`npm test -- --times`); the file has one of its own.
const { appendFileSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

class TimedEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.path = context.testPath;
    this.startedAt = performance.now();
    this.processorAt = process.cpuUsage();
    this.global.colligateTimeSpent = {};
    // Native code makes arrays of the process's own kinds, and asks for such; in a context those of the same name are others.
    Object.assign(this.global, { Float32Array, BigInt64Array });
  }

  handleTestEvent({ name }) {
    if (name === 'run_start') this.loadedAt = performance.now();
  }

  async teardown() {
    const file = process.env.COLLIGATE_TEST_TIMES;
    const endedAt = performance.now();
    const { user, system } = process.cpuUsage(this.processorAt);
    const spent = { ...this.global.colligateTimeSpent };
    await super.teardown();
    if (file === undefined) return;
    const line = {
      file: this.path,
      wholeMs: endedAt - this.startedAt,
      computingMs: (user + system) / 1_000,
      spent: { loading: (this.loadedAt ?? endedAt) - this.startedAt, ...spent },
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

module.exports = TimedEnvironment;
