import { existsSync } from 'node:fs';
import type { Connection } from '@temporalio/client';
import type { Config } from '../../config/config';
import { errorMessage } from '../../platform/error-message';
import { connectClient } from '../../temporal/connect';
import { findReadyBinary, serverVersion } from '../../temporal/find-server-binary';
import { describePollers } from '../../temporal/pollers';
import { searchAttributeKeys } from '../../temporal/search-attributes';
import { findServer } from '../../temporal/server';
import { ok, type Finding } from './doctor-finding';
import { configuredQueues } from '../../app/session/needed-queues';
import { COMMAND } from '../package-files';

export async function examineServer(config: Config): Promise<Finding[]> {
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
