// What docker-compose.yml and deploy/ say of the parts, which is what the native topology gives them too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../checkout.mjs';

const deploy = (name) => join(root, 'deploy', name);

/** The files that compose mounts. */
export const FILES = {
  databases: deploy('postgres-databases.sh'),
  schema: deploy('temporal-schema.sh'),
  namespace: deploy('temporal-namespace.sh'),
  dynamicConfig: deploy('dynamic-config.yaml'),
  redis: deploy('redis.conf'),
  settings: deploy('settings.env'),
};

/** `variables` stand for those that compose takes from .env. */
export function readDeployment(variables) {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
  const fill = (value) => value.replace(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, name) => variables[name] ?? '');
  return {
    /** deploy/settings.env, for the parts that name it. */
    settings: Object.fromEntries(
      readFileSync(FILES.settings, 'utf8')
        .split('\n')
        .filter((line) => /^\w+=/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    /** What compose gives a service in its environment, without deploy/settings.env. */
    environment: (service) =>
      Object.fromEntries(
        Object.entries(services[service].environment).map(([name, value]) => [name, fill(value)]),
      ),
    /** What follows the program's name. */
    arguments: (service) => services[service].command.slice(1),
  };
}
