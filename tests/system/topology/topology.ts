import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '../../../src/config/config';
import { packageVersion } from '../../../src/app/package-version';
import { errorMessage } from '../../../src/platform/error-message';
import { arePortsFree } from '../../../src/temporal/free-ports';
import { demonstrate, seconds } from './demonstration';
import {
  startHttp,
  startPostgres,
  startRedis,
  startTemporal,
  startWorker,
  type Programs,
  type Site,
  type WorkerPart,
} from './installation';
import { memoryWithChildren } from './memory';
import { namedPorts, partSettings, PORT_COUNT, SECRETS, type Secrets, type Variables } from './part-settings';
import { createParts, type Part, type Parts } from './parts';

/** What scripts/topology.mjs was asked for; `programs` where anything is to be started. */
interface TopologyOptions {
  keep: boolean;
  folder: string | null;
  settings: boolean;
  programs: Programs;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** From nothing to a topology that has made its report, and to nothing again. Resolves with the exit code. */
async function main({ keep, folder: named, settings, programs }: TopologyOptions): Promise<number> {
  if (settings) {
    const secrets = secretsBy((name) => `<${name}>`);
    const shown = partSettings({ secrets, models: {}, ports: namedPorts(20_000), folder: '<folder>' });
    say(JSON.stringify(shown, null, 2));
    return 0;
  }
  const stop = new AbortController();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  // It is heard of where something is waited for.
  stopped.catch(() => undefined);
  let isAsked = false;
  // Later signals change nothing: stopping has its own limits of time.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isAsked ||= !stop.signal.aborted;
      stop.abort(new Error(`Stopped by ${signal}`));
    });
  const folder = openFolder(named);
  const parts = createParts(join(folder, 'logs'), (error) => stop.abort(error));
  let isUp = false;
  try {
    const shown = await Promise.race([use(parts, folder, programs, keep), stopped]);
    if (!keep) return 0;
    isUp = true;
    sayEnvironment(shown, folder);
    return await stopped;
  } catch (error) {
    if (!isAsked) throw error;
    // Who keeps it up ends it this way.
    return isUp ? 0 : 130;
  } finally {
    await parts.stopAll();
    if (named === null) rmSync(folder, { recursive: true, force: true });
    say(named === null ? 'Stopped everything' : `Stopped everything; its files are in ${folder}`);
  }
}

/** Starts all parts in their order, makes the report, and resolves with what clients need to use what is up. */
async function use(parts: Parts, folder: string, programs: Programs, keep: boolean): Promise<Variables> {
  const ports = namedPorts(await freePorts());
  // What compose takes from .env of the endpoint.
  const models = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(OPENAI_|COLLIGATE_MODEL_)/.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
  const settings = partSettings({ secrets: secretsIn(folder), models, ports, folder });
  const site: Site = { parts, folder, programs, settings, cacheDir: loadConfig().cacheDir };
  const { TEMPORAL_ADDRESS: temporal = '' } = settings.client.environment;
  /** The part once it is ready, which is said. */
  const started = async <Started extends Part>(
    version: string,
    start: Promise<Started>,
    address: string | ((part: Started) => string),
  ): Promise<Started> => {
    const startedAt = performance.now();
    const part = await start;
    const where = typeof address === 'string' ? address : address(part);
    say(
      `${part.name.padEnd(12)} ${version.padEnd(18)} ${where}  ready after ${seconds(performance.now() - startedAt)}`,
    );
    return part;
  };
  const worker = (number: number): Promise<WorkerPart> =>
    started(`Colligate ${packageVersion()}`, startWorker(site, number), ({ healthUrl }) => healthUrl);
  const postgres = versionOf('PostgreSQL', join(programs.postgres, 'postgres'));
  await started(postgres, startPostgres(site), `127.0.0.1:${ports.postgres}`);
  await started(versionOf('Redis', programs.redis), startRedis(site), `127.0.0.1:${ports.redis}`);
  const server = versionOf('Temporal', join(programs.temporal, 'server'));
  await started(server, startTemporal(site), temporal);
  const workers = [await worker(1), await worker(2)];
  const http = await started(`Colligate ${packageVersion()}`, startHttp(site), ({ url }) => url);
  sayMemory(parts, 'before the first run');
  const killed = await demonstrate(site, { workers, http }, say);
  sayMemory(parts, 'after the run');
  // As what supervises workers does.
  if (keep) await worker(workers.indexOf(killed) + 1);
  return settings.client.environment;
}

/** Another user, as whom PostgreSQL may run, can come through it and read nothing. */
function openFolder(named: string | null): string {
  const folder =
    named === null ? mkdtempSync(join(realpathSync(tmpdir()), 'colligate-topology-')) : resolve(named);
  for (const part of ['', 'logs', 'redis', 'worker-1', 'worker-2', 'http', 'client'])
    mkdirSync(join(folder, part), { recursive: true });
  chmodSync(folder, 0o711);
  return folder;
}

/** The passwords with which the parts' files were made. */
function secretsIn(folder: string): Secrets {
  const file = join(folder, 'secrets.json');
  if (!existsSync(file)) {
    const secrets = secretsBy(() => randomBytes(24).toString('hex'));
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Secrets; // written above, or by an earlier topology
}

function secretsBy(make: (name: string) => string): Secrets {
  return Object.fromEntries(SECRETS.map((name) => [name, make(name)])) as Secrets; // one for each name
}

/** The first of as many loopback ports as there are, from below the range that systems give to outgoing connections. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if (await arePortsFree(Array.from({ length: PORT_COUNT }, (_, index) => first + index))) return first;
  }
}

/** By its own word. */
function versionOf(name: string, program: string): string {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  return `${name} ${/\d+(\.\d+)+/.exec(said)?.[0] ?? 'of no version'}`;
}

function sayMemory(parts: Parts, when: string): void {
  const told = parts.running().flatMap(({ name, child }) => {
    const bytes = memoryWithChildren(child.pid ?? 0);
    return bytes === null ? [] : [`${name} ${Math.round(bytes / 1_048_576)} MB`];
  });
  if (told.length > 0) say(`Memory ${when}: ${told.join(', ')}`);
}

/** What stands in deploy/settings.env for servers and workers alone. */
const OF_SERVERS = /^(NUM_HISTORY_SHARDS|TEMPORAL_NAMESPACE_RETENTION|COLLIGATE_SHUTDOWN_GRACE_MS)$/;

/** What a process on this machine needs to use the topology, as lines for a shell. */
function sayEnvironment(environment: Variables, folder: string): void {
  const given = Object.entries(environment).filter(([name, value]) => value !== '' && !OF_SERVERS.test(name));
  say('');
  say('It stays up until Ctrl-C. In another shell, in any folder:');
  for (const [name, value] of given) say(`  export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`);
  say(`Logs and files are in ${folder}.`);
}

// It is scripts/topology.mjs that writes the argument.
main(JSON.parse(process.argv[2] ?? '{}') as TopologyOptions).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  },
);
