import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { traitsOf } from '../../contracts/run/engines';
import type { Config } from '../../config/config';
import { configFileName } from '../../config/config-file';
import type { Sources } from '../../config/read-given';
import { ok, type Finding } from './doctor-finding';
import { examineOutside } from './doctor-outside';
import { examineServer } from './doctor-server';
import { examineSettings } from './doctor-settings';
import { examineStore } from './doctor-store';
import { COMMAND, EXAMPLES_DIR } from '../package-files';
import { openOnnxEncoder } from '../../encoder/onnx-encoder';
import { environmentNames } from '../../config/setting-names';
import { errorMessage } from '../../platform/error-message';

/** Looks at everything that a report needs. Starts nothing, and registers nothing. */
export async function examine(config: Config, given: Sources): Promise<Finding[]> {
  return [
    nodeVersion(),
    configuration(config.cwd),
    ...examineSettings(given),
    await writableFolder('data folder', config.dataDir, 'COLLIGATE_DATA_DIR'),
    ...(await examineStore(config)),
    ...(await examineServer(config)),
    engine(config),
    await examineEncoder(config),
    ...(await examineOutside(config)),
    await writableFolder('reports folder', config.outDir, 'COLLIGATE_OUT_DIR or --out'),
    await examples(),
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
  if (!traitsOf(config.engine).asksModels)
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

/** Whether sentences are read by their meaning here; it encodes one. */
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
