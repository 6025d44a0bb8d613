import {
  type FoundServer,
  localServers,
  NoLocalModelError,
  withLocalModels,
} from '../../app/endpoint/local-engine';
import type { Config } from '../../config/config';
import { count } from '../../core/values/grouped-digits';
import { ok, type Finding } from './doctor-finding';

const MOST_LISTED = 12;

/** Looks for servers of models on this machine; `config` has what they say, where the engine is one of them. */
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

function serverLine({ kind, address, models, largest }: FoundServer): string {
  const names = models.slice(0, MOST_LISTED);
  const more = models.length > names.length ? `, and ${models.length - names.length} more` : '';
  const taken = largest === null ? 'none of them answers questions' : `--engine local takes ${largest}`;
  return `${kind} at ${address}: ${count(models.length, 'model')}${names.length === 0 ? '' : ` (${names.join(', ')}${more}); ${taken}`}`;
}
