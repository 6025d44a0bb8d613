// What the figures were taken on, and how much of it others used meanwhile.
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

export function describeMachine() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: totalmem() / 1024 ** 3,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    colligate: version,
  };
}

/** Begins to watch; the function that it returns gives the share of the processors' time that was not idle since. */
export function busyShare() {
  const before = totals();
  return () => {
    const after = totals();
    return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
  };
}

function totals() {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (pick) => times.reduce((total, time) => total + pick(time), 0);
  return {
    idle: sum((time) => time.idle),
    all: sum((time) => Object.values(time).reduce((a, b) => a + b, 0)),
  };
}
