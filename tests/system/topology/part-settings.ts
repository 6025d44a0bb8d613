import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = resolve(__dirname, '../../..');
const deploy = (name: string): string => join(ROOT, 'deploy', name);
const HOST = '127.0.0.1';

/** The files that compose mounts. */
const FILES = {
  databases: deploy('postgres-databases.sh'),
  schema: deploy('temporal-schema.sh'),
  namespace: deploy('temporal-namespace.sh'),
  dynamicConfig: deploy('dynamic-config.yaml'),
  redis: deploy('redis.conf'),
  settings: deploy('settings.env'),
};

/** The secrets of deploy/example.env. */
export const SECRETS = ['POSTGRES_PASSWORD', 'TEMPORAL_POSTGRES_PASSWORD', 'REDIS_PASSWORD'] as const;
export type Secrets = Record<(typeof SECRETS)[number], string>;

/** The ports that are listened on, in this order. */
const PORT_NAMES = [
  ...(['postgres', 'redis', 'temporal', 'temporalHttp', 'temporalMetrics'] as const),
  ...(['matching', 'history', 'internalWorker'] as const),
  ...(['frontendMembership', 'matchingMembership', 'historyMembership', 'workerMembership'] as const),
];
export const PORT_COUNT = PORT_NAMES.length;
export type Ports = Record<(typeof PORT_NAMES)[number], number>;

export function namedPorts(first: number): Ports {
  // One for each of the names.
  return Object.fromEntries(PORT_NAMES.map((name, index) => [name, first + index])) as Ports;
}

const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      command: z.array(z.string()).default([]),
    }),
  ),
});
export type Variables = Record<string, string>;

interface Environment {
  environment: Variables;
}
/** What prepares a part for others. */
interface Preparation extends Environment {
  script: string;
}

export interface PartSettings {
  postgres: { arguments: string[] };
  databases: Preparation;
  redis: { configuration: string[] };
  schema: Preparation;
  temporal: Environment;
  namespace: Preparation;
  worker: Environment;
  http: Environment;
  client: Environment;
}

/**
 * What each part is given: what docker-compose.yml and deploy/ give it, with addresses of this machine. `secrets` are those of .env;
 * `OPENAI_…` and the names of models may come from the environment, as with compose.
 */
export function partSettings(given: {
  secrets: Secrets;
  ports: Ports;
  folder: string;
  models: Variables;
}): PartSettings {
  const { secrets, ports, folder } = given;
  const { services } = Compose.parse(
    parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }),
  );
  const variables: Variables = { ...given.models, ...secrets };
  const settings: Variables = Object.fromEntries(
    [...readFileSync(FILES.settings, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const here = (value: string): string =>
    value
      .replace(
        /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
        (_all, name: string, or = '') => variables[name] ?? String(or),
      )
      .replace('temporal:7233', `${HOST}:${ports.temporal}`)
      .replace('@redis:6379', `@${HOST}:${ports.redis}`);
  const environmentOf = (service: string): Variables =>
    Object.fromEntries(
      Object.entries(services[service]?.environment ?? {}).map(([name, value]) => [name, here(value)]),
    );
  const postgresPort = String(ports.postgres);
  // Where a client keeps its own files is a matter of whoever uses it.
  const { COLLIGATE_DATA_DIR: _own, ...client } = { ...settings, ...environmentOf('colligate') };
  return {
    postgres: {
      arguments: [
        ...(services['postgres']?.command.slice(1) ?? []),
        ...['-c', `listen_addresses=${HOST}`, '-c', `port=${postgresPort}`],
        ...['-c', 'unix_socket_directories='],
      ],
    },
    databases: {
      script: FILES.databases,
      environment: {
        ...environmentOf('postgres'),
        PGHOST: HOST,
        PGPORT: postgresPort,
        PGPASSWORD: secrets.POSTGRES_PASSWORD,
      },
    },
    redis: {
      // An included file comes first: what follows says where.
      configuration: [
        `include ${FILES.redis}`,
        `bind ${HOST}`,
        `port ${ports.redis}`,
        `dir ${join(folder, 'redis')}`,
        `requirepass ${secrets.REDIS_PASSWORD}`,
      ],
    },
    schema: {
      script: FILES.schema,
      environment: {
        ...environmentOf('temporal-schema'),
        SQL_HOST: HOST,
        SQL_PORT: postgresPort,
      },
    },
    temporal: {
      environment: {
        ...settings,
        ...environmentOf('temporal'),
        POSTGRES_SEEDS: HOST,
        DB_PORT: postgresPort,
        VISIBILITY_DB_PORT: postgresPort,
        BIND_ON_IP: HOST,
        TEMPORAL_BROADCAST_ADDRESS: HOST,
        PROMETHEUS_ENDPOINT: `${HOST}:${ports.temporalMetrics}`,
        DYNAMIC_CONFIG_FILE_PATH: FILES.dynamicConfig,
        FRONTEND_GRPC_PORT: String(ports.temporal),
        FRONTEND_HTTP_PORT: String(ports.temporalHttp),
        MATCHING_GRPC_PORT: String(ports.matching),
        HISTORY_GRPC_PORT: String(ports.history),
        WORKER_GRPC_PORT: String(ports.internalWorker),
        FRONTEND_MEMBERSHIP_PORT: String(ports.frontendMembership),
        MATCHING_MEMBERSHIP_PORT: String(ports.matchingMembership),
        HISTORY_MEMBERSHIP_PORT: String(ports.historyMembership),
        WORKER_MEMBERSHIP_PORT: String(ports.workerMembership),
      },
    },
    namespace: {
      script: FILES.namespace,
      environment: { ...settings, ...environmentOf('temporal-namespace') },
    },
    worker: {
      environment: {
        ...settings,
        ...environmentOf('worker'),
        // Two on one machine: each takes a port that is free.
        COLLIGATE_WORKER_HTTP_HOST: HOST,
        COLLIGATE_WORKER_HTTP_PORT: '0',
      },
    },
    http: {
      environment: {
        ...settings,
        ...environmentOf('http'),
        COLLIGATE_HTTP_HOST: HOST,
        COLLIGATE_HTTP_PORT: '0',
      },
    },
    client: { environment: client },
  };
}
