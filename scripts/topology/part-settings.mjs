// What each part is given: what compose gives it, with addresses of this machine.
import { join } from 'node:path';
import { readDeployment, FILES } from './deployment.mjs';

const HOST = '127.0.0.1';

/** The ports that are listened on, in the order of `ports` below. */
const PORT_NAMES = [
  ...['postgres', 'redis', 'temporal', 'temporalHttp', 'temporalMetrics'],
  ...['matching', 'history', 'internalWorker'],
  ...['frontendMembership', 'matchingMembership', 'historyMembership', 'workerMembership'],
];
export const PORT_COUNT = PORT_NAMES.length;

export function namedPorts(first) {
  return Object.fromEntries(PORT_NAMES.map((name, index) => [name, first + index]));
}

/** `secrets` are those of .env; `OPENAI_…` and the names of models may come from the environment, as with compose. */
export function partSettings({ secrets, ports, folder, models }) {
  const deployment = readDeployment({ ...models, ...secrets });
  const { settings } = deployment;
  const here = (value) =>
    value
      .replace('temporal:7233', `${HOST}:${ports.temporal}`)
      .replace('@postgres:5432', `@${HOST}:${ports.postgres}`)
      .replace('@redis:6379', `@${HOST}:${ports.redis}`);
  const environmentOf = (service) =>
    Object.fromEntries(
      Object.entries(deployment.environment(service)).map(([name, value]) => [name, here(value)]),
    );
  const temporalSettings = environmentOf('temporal');
  return {
    postgres: {
      arguments: [
        ...deployment.arguments('postgres'),
        ...[
          '-c',
          `listen_addresses=${HOST}`,
          '-c',
          `port=${ports.postgres}`,
          '-c',
          'unix_socket_directories=',
        ],
      ],
    },
    databases: {
      script: FILES.databases,
      environment: {
        ...environmentOf('postgres'),
        PGHOST: HOST,
        PGPORT: String(ports.postgres),
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
        SQL_PORT: String(ports.postgres),
      },
    },
    temporal: {
      environment: {
        ...settings,
        ...temporalSettings,
        POSTGRES_SEEDS: HOST,
        DB_PORT: String(ports.postgres),
        VISIBILITY_DB_PORT: String(ports.postgres),
        BIND_ON_IP: HOST,
        TEMPORAL_BROADCAST_ADDRESS: HOST,
        PROMETHEUS_ENDPOINT: `${HOST}:${ports.temporalMetrics}`,
        DYNAMIC_CONFIG_FILE_PATH: FILES.dynamicConfig,
        ...temporalPorts(ports),
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
    client: { environment: clientEnvironment({ ...settings, ...environmentOf('colligate') }) },
  };
}

/** Its folder is a matter of whoever uses it. */
function clientEnvironment(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'COLLIGATE_DATA_DIR'));
}

function temporalPorts(ports) {
  return Object.fromEntries(
    [
      ['FRONTEND_GRPC_PORT', ports.temporal],
      ['FRONTEND_HTTP_PORT', ports.temporalHttp],
      ['MATCHING_GRPC_PORT', ports.matching],
      ['HISTORY_GRPC_PORT', ports.history],
      ['WORKER_GRPC_PORT', ports.internalWorker],
      ['FRONTEND_MEMBERSHIP_PORT', ports.frontendMembership],
      ['MATCHING_MEMBERSHIP_PORT', ports.matchingMembership],
      ['HISTORY_MEMBERSHIP_PORT', ports.historyMembership],
      ['WORKER_MEMBERSHIP_PORT', ports.workerMembership],
    ].map(([name, port]) => [name, String(port)]),
  );
}
