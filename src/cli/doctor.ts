import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '@temporalio/client';
import { type Config, settingsInUse } from '../app/config';
import { configFileName, type ConfigSources } from '../app/config-sources';
import { type FoundServer, localServers, NoLocalModelError, withLocalModels } from '../app/local-engine';
import { checkServices, type ServiceCheck } from '../app/model-endpoint';
import { configuredQueues, describePollers } from '../app/queue-pollers';
import { findReadyBinary, serverVersion } from '../app/temporal/server-binary';
import { connectClient } from '../app/temporal/temporal-connection';
import { findServer } from '../app/temporal/temporal-server';
import { capabilitiesOf } from '../contracts/pipeline';
import { environmentNames } from '../contracts/setting-names';
import { errorMessage } from '../lib/errors';
import { formatCount } from '../lib/strings';
import { findOcrPackages, INSTALL_OCR } from '../sources/formats/ocr-engine';
import { openStores, storesExist } from '../stores/open-stores';
import { openOnnxEncoder } from '../text/onnx-encoder';
import { searchAttributeKeys } from '../workflows/search-attributes';
import { COMMAND, EXAMPLES_DIR } from './command-context';

/** Result of one check. Only a `problem` prevents a report. */
export interface Finding {
  name: string;
  state: 'ok' | 'note' | 'problem';
  detail: string;
  advice: string | null;
  unreachable?: true;
}

const ADVICE: Record<ServiceCheck['name'], string> = {
  langfuse:
    'Check LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY. Runs go on with the prompts of the program.',
  traces: 'Check OTEL_EXPORTER_OTLP_ENDPOINT and its headers, or Langfuse’s keys. Runs go on without traces.',
};

/** Checks everything that a report needs. Starts and registers nothing. */
export async function examine(config: Config, given: ConfigSources): Promise<Finding[]> {
  return [
    nodeVersion(),
    configuration(config.cwd),
    ...examineSettings(given),
    await writableFolder('data folder', config.dataDir, 'COLLIGATE_DATA_DIR'),
    ...(await examineStore(config)),
    ...(await examineServer(config)),
    engine(config),
    await examineEncoder(config),
    scans(),
    ...(await examineOutside(config)),
    await writableFolder('reports folder', config.outDir, 'COLLIGATE_OUT_DIR or --out'),
    await examples(),
  ];
}

export async function examineLocalModels(
  config: Config,
  { mayLoad }: { mayLoad: boolean },
): Promise<{ findings: Finding[]; config: Config }> {
  const servers = await localServers(config);
  const findings = servers.map((server) => ok('local models', serverLine(server)));
  if (findings.length === 0)
    findings.push(ok('local models', `no server answers at ${config.local.servers.join(', ')}`));
  const lines: string[] = [];
  try {
    const resolved = await withLocalModels(config, { mayLoad, tell: (line) => lines.push(line) });
    return { findings: [...findings, ...lines.map((line) => ok('local engine', line))], config: resolved };
  } catch (error) {
    if (!(error instanceof NoLocalModelError)) throw error;
    const problem: Finding = {
      name: 'local engine',
      state: 'problem',
      detail: error.message,
      advice: null,
      unreachable: true,
    };
    return { findings: [...findings, problem], config };
  }
}

/** Prompts and traces of other services. Reports work without them, so failures are notes. */
export async function examineOutside(config: Config): Promise<Finding[]> {
  const answers = await checkServices(config);
  return [
    ...answers.map(({ name, address, problem }) =>
      problem === null
        ? ok(name, `${address} answers`)
        : { name, state: 'note' as const, detail: `${address}: ${problem}`, advice: ADVICE[name] },
    ),
    ok('prompts', promptsOf(config)),
  ];
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok('Node', process.version)
    : { name: 'Node', state: 'problem', detail: process.version, advice: 'Install Node 22 or 24.' };
}

function configuration(cwd: string): Finding {
  const file = path.join(cwd, configFileName);
  return ok(
    'configuration',
    `${existsSync(file) ? file : `no ${configFileName} here`}; flags and environment come first`,
  );
}

async function writableFolder(name: string, folder: string, setting: string): Promise<Finding> {
  let existing = folder;
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return ok(name, existing === folder ? folder : `${folder} (will be made)`);
  } catch {
    return {
      name,
      state: 'problem',
      detail: `${folder} cannot be written`,
      advice: `Make ${existing} a folder that is writable, or name another one with ${setting}.`,
    };
  }
}

function engine(config: Config): Finding {
  if (config.localModels !== null) return ok('engine', 'local: a model of a server on this machine');
  if (!capabilitiesOf(config.engine).asksModels)
    return ok('engine', `${config.engine}: works offline, needs no key`);
  const { baseUrl, models } = config.openai;
  return ok(
    'engine',
    `${config.engine} at ${baseUrl ?? '(no endpoint)'}: ${models.fast ?? '(no model)'} and ${models.strong ?? '(no model)'}; "${COMMAND} doctor --model" asks them`,
  );
}

async function examples(): Promise<Finding> {
  const notes = await readdir(EXAMPLES_DIR, { recursive: true }).catch(() => []);
  const count = notes.filter((file) => file.endsWith('.md') && path.basename(file) !== 'README.md').length;
  return count > 0
    ? ok('examples', `${count} notes in ${EXAMPLES_DIR}`)
    : {
        name: 'examples',
        state: 'note',
        detail: `there are none in ${EXAMPLES_DIR}`,
        advice: `"${COMMAND} demo" needs them.`,
      };
}

async function examineEncoder({ reader }: Config): Promise<Finding> {
  const name = 'reader';
  if (reader.encoder === 'off')
    return ok(name, `by words alone: ${environmentNames['reader.encoder']} is off`);
  try {
    await (await openOnnxEncoder()).encode(['Whether this is read.']);
    return ok(name, 'by meaning and words, with the encoder that ships');
  } catch (error) {
    return {
      name,
      state: 'note',
      detail: `by words alone: the encoder does not run here (${errorMessage(error)})`,
      advice: `Install the optional package onnxruntime-node; or set ${environmentNames['reader.encoder']}=off.`,
    };
  }
}

function scans(): Finding {
  const packages = findOcrPackages();
  return ok(
    'scans',
    packages === null
      ? `not read; to have their text recognised: ${INSTALL_OCR}`
      : `their text is recognised (${packages.languages.join(', ')})`,
  );
}

function examineSettings(given: ConfigSources): Finding[] {
  return settingsInUse(given).map(({ path, name, from, value }) =>
    ok('setting', `${path} is ${value} (${from === 'environment' ? name : from})`),
  );
}

async function examineStore(config: Config): Promise<Finding[]> {
  try {
    const isOfFiles = config.stores === 'lmdb';
    if (isOfFiles && !(await storesExist(config))) return [ok('store', 'will be made with the first run')];
    const stores = await openStores(config);
    try {
      const { artifacts } = await stores.content.statistics();
      const runs = await stores.events.runs();
      return [ok('store', `${runs.length} runs, ${artifacts} stored texts`)];
    } finally {
      await stores.close();
    }
  } catch (error) {
    return [
      {
        name: 'store',
        state: 'problem',
        detail: errorMessage(error),
        advice:
          config.stores === 'lmdb'
            ? 'Name another folder with COLLIGATE_DATA_DIR, or mend this one.'
            : 'Look at the server that keeps the stores, and at the address that this machine has of it.',
      },
    ];
  }
}

function promptsOf({ prompts }: Config): string {
  return prompts.provider === 'code'
    ? 'those of the program'
    : `Langfuse’s with the label ${prompts.label}, and those of the program behind them`;
}

async function examineServer(config: Config): Promise<Finding[]> {
  const { address } = config.temporal;
  const binary = address === null ? [await serverBinary(config)] : [];
  const running =
    address ?? (existsSync(config.dataDir) ? (await findServer(config.dataDir))?.address : null) ?? null;
  if (running === null) {
    return [
      ...binary,
      {
        name: 'server',
        state: 'note',
        detail: 'none is running for this folder',
        advice: `"${COMMAND} report" starts one for its time; "${COMMAND} dev" starts one that stays.`,
      },
    ];
  }
  try {
    const { connection } = await connectClient({ ...config.temporal, address: running });
    try {
      return [...binary, ...(await serverFindings(connection, config, running))];
    } finally {
      await connection.close();
    }
  } catch (error) {
    return [
      ...binary,
      {
        name: 'server',
        state: 'problem',
        detail: `${running} does not answer`,
        advice:
          address === null
            ? errorMessage(error)
            : 'Start it, or correct TEMPORAL_ADDRESS, or unset it to use an embedded server.',
        unreachable: true,
      },
    ];
  }
}

async function serverBinary(config: Config): Promise<Finding> {
  const binary = await findReadyBinary(config);
  if (binary !== null)
    return ok('server program', `${binary.path} (${binary.from === 'PATH' ? 'on PATH' : 'in the cache'})`);
  return {
    name: 'server program',
    state: 'note',
    detail: `there is no temporal on PATH or in ${config.cacheDir}`,
    advice: `The first run downloads version ${serverVersion}, or builds it with Go. Or set TEMPORAL_ADDRESS to a server.`,
  };
}

async function serverFindings(connection: Connection, config: Config, address: string): Promise<Finding[]> {
  const { namespace } = config.temporal;
  const { serverVersion: version } = await connection.workflowService.getSystemInfo({});
  const findings = [ok('server', `${address}, version ${version}`)];
  try {
    await connection.workflowService.describeNamespace({ namespace });
    findings.push(ok('namespace', namespace));
  } catch (error) {
    findings.push({
      name: 'namespace',
      state: 'problem',
      detail: `${namespace}: ${errorMessage(error)}`,
      advice: `Make it (temporal operator namespace create ${namespace}), or name another one with TEMPORAL_NAMESPACE.`,
      unreachable: true,
    });
    return findings;
  }
  findings.push(await searchAttributes(connection, namespace));
  for (const queue of configuredQueues(config)) {
    const pollers = await describePollers(connection, { namespace, ...queue });
    findings.push(
      pollers.hasWorker
        ? ok('worker', `${pollers.identities.join(', ')} on the task queue ${queue.taskQueue}`)
        : {
            name: 'worker',
            state: 'note',
            detail: `none polls the task queue ${queue.taskQueue}`,
            advice: `"${COMMAND} report" brings its own; "${COMMAND} worker" starts one that stays.`,
          },
    );
  }
  return findings;
}

async function searchAttributes(connection: Connection, namespace: string): Promise<Finding> {
  const name = 'search attributes';
  const advice =
    'The next run tries to register them; without them it runs as well, and is harder to find in the Web UI.';
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = searchAttributeKeys.filter((key) => customAttributes[key.name] === undefined);
    return missing.length === 0
      ? ok(name, 'registered')
      : {
          name,
          state: 'note',
          detail: `not registered: ${missing.map((key) => key.name).join(', ')}`,
          advice,
        };
  } catch (error) {
    return { name, state: 'note', detail: `not known: ${errorMessage(error)}`, advice };
  }
}

const MAX_LISTED_MODELS = 12;

function serverLine({ kind, address, models, largest }: FoundServer): string {
  const names = models.slice(0, MAX_LISTED_MODELS);
  const more = models.length > names.length ? `, and ${models.length - names.length} more` : '';
  const taken = largest === null ? 'none of them answers questions' : `--engine local takes ${largest}`;
  return `${kind} at ${address}: ${formatCount(models.length, 'model')}${names.length === 0 ? '' : ` (${names.join(', ')}${more}); ${taken}`}`;
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail, advice: null };
}
