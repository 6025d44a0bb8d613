import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../src/app/config';
import { searchAttributeKeys } from '../../../src/workflows/search-attributes';

const ROOT = join(__dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Service = z.looseObject({
  image: z.string(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  environment: z.record(z.string(), z.string()).default({}),
  env_file: z.string().optional(),
  logging: z.unknown(),
  deploy: z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) }),
});
const given: unknown = parse(read('docker-compose.yml'), { merge: true });
const { services } = z.looseObject({ services: z.record(z.string(), Service) }).parse(given);

/** The settings of deploy/settings.env. */
const settings = Object.fromEntries(
  read('deploy/settings.env')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

describe('docker-compose.yml', () => {
  it('is as the Compose Specification has it', () => {
    const schema = JSON.parse(read('tests/system/deploy/compose-spec.json')) as Record<string, unknown>;
    // The name under which ajv knows draft 7 is that of the draft itself.
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
    ajv
      .addFormat('duration', /^(\d+(us|ms|s|m|h))+$/)
      .addFormat('ports', true)
      .addFormat('expose', true);
    const validate = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
    validate(given);
    expect(validate.errors).toBeNull();
    validate({ services: { worker: { image: 'x', comand: ['worker'] } } });
    expect(validate.errors).not.toBeNull();
  });

  it('pins its images, rotates every log, limits all memory, and listens on loopback', () => {
    for (const { image, ports, logging, deploy } of Object.values(services)) {
      expect(image).toMatch(/:\d+\.\d+(\.\d+)?/);
      expect(logging).toMatchObject({ options: { 'max-size': '10m' } });
      expect(deploy.resources.limits.memory).toMatch(/^\d+[mg]$/);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('mounts files that are there, and waits for services that are there', () => {
    for (const { volumes, depends_on: needed, env_file: file } of Object.values(services)) {
      for (const volume of volumes.filter((name) => name.startsWith('./')))
        expect(existsSync(join(ROOT, volume.split(':')[0] ?? ''))).toBe(true);
      for (const name of Object.keys(needed)) expect(Object.keys(services)).toContain(name);
      if (file !== undefined) expect(file).toBe('deploy/settings.env');
    }
    expect(services['worker']?.depends_on).toMatchObject({
      'temporal-namespace': { condition: 'service_completed_successfully' },
    });
  });

  it('has workers of which there may be several, with settings that are good and time to stop', () => {
    const worker = services['worker'];
    expect(worker).not.toHaveProperty('container_name');
    expect(worker?.ports).toEqual([]);
    const env = Object.entries({ ...settings, ...worker?.environment }).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:\?[^}]*\}/g, 'secret').replace(/\$\{\w+:-\}/g, ''),
    ]);
    const config = loadConfig({ cwd: ROOT, env: Object.fromEntries(env) as Record<string, string> });
    expect(config).toMatchObject({ stores: 'redis' });
    expect(config.worker.httpPort).toBe(9464);
    expect(JSON.stringify(worker?.['healthcheck'])).toContain(`:${config.worker.httpPort}/healthz`);
    const stopSeconds = parseInt(String(worker?.['stop_grace_period']));
    expect(stopSeconds * 1_000).toBeGreaterThan(config.worker.shutdownGraceMs + 10_000);
  });

  it('serves pages and HTTP to this machine alone, by settings that are good', () => {
    const http = services['http'];
    const env = Object.entries({ ...settings, ...http?.environment }).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:\?[^}]*\}/g, 'secret').replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]);
    const config = loadConfig({ cwd: ROOT, env: Object.fromEntries(env) as Record<string, string> });
    expect(parseInt(String(http?.['stop_grace_period'])) * 1_000).toBeGreaterThan(
      config.worker.shutdownGraceMs,
    );
    expect(config.http).toMatchObject({ host: '0.0.0.0', port: 8787, origins: ['http://127.0.0.1:8787'] });
    expect(http?.ports).toEqual(['127.0.0.1:${COLLIGATE_HTTP_PORT:-8787}:8787']);
    expect(JSON.stringify(http?.['healthcheck'])).toContain(`:${config.http.port}/healthz`);
    expect(read('deploy/Caddyfile')).toContain(`reverse_proxy http:${config.http.port} `);
  });

  it('registers the search attributes that runs set', () => {
    const script = read('deploy/temporal-namespace.sh');
    const registered = [...script.matchAll(/--name (\w+) --type (\w+)/g)].map(([, name, type]) => [
      name,
      type?.toUpperCase(),
    ]);
    expect(registered).toEqual(searchAttributeKeys.map(({ name, type }) => [name, type]));
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('copies what is there and what is let in, and runs what package.json has', () => {
    const letIn = read('.dockerignore').split('\n');
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .map((path) => path.replace(/^\.\//, ''));
    expect(copied).toContain('package-lock.json');
    for (const path of copied) {
      expect(existsSync(join(ROOT, path))).toBe(true);
      expect(letIn).toContain(`!${path}`);
    }
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const run = lines.flatMap((line) => /npm run ([\w-]+)/.exec(line)?.[1] ?? []);
    expect(run).toEqual(['build']);
    for (const name of run) expect(scripts).toHaveProperty(name);
  });

  it('ends as a user without rights', () => {
    expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER node');
  });
});
