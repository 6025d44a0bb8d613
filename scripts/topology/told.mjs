// What is said of the parts, on standard output.
import { memoryWithChildren } from './memory.mjs';

/** What stands in deploy/settings.env for servers and workers alone. */
const OF_SERVERS = /^(NUM_HISTORY_SHARDS|TEMPORAL_NAMESPACE_RETENTION|COLLIGATE_SHUTDOWN_GRACE_MS)$/;

const print = (line) => process.stdout.write(`${line}\n`);

export const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

/** A part that is ready: what it is, where, and how long that took. */
export function tellStarted(part, { version, address, ms }) {
  print(`${part.name.padEnd(12)} ${`${version}`.padEnd(18)} ${address}  ready after ${seconds(ms)}`);
}

export function tellMemory(parts, when) {
  const told = parts.map(({ name, child }) => {
    const bytes = memoryWithChildren(child.pid);
    return bytes === null ? [] : [`${name} ${Math.round(bytes / 1_048_576)} MB`];
  });
  if (told.flat().length > 0) print(`Memory ${when}: ${told.flat().join(', ')}`);
}

/** What a process on this machine needs to use the topology, as lines for a shell. */
export function tellEnvironment(environment, folder) {
  const given = Object.entries(environment).filter(([name, value]) => value !== '' && !OF_SERVERS.test(name));
  print('');
  print('It stays up until Ctrl-C. In another shell, in any folder:');
  for (const [name, value] of given) print(`  export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`);
  print(`Logs and files are in ${folder}.`);
}
