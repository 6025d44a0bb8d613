// How `npm run topology` is called.
import { parseArgs } from 'node:util';

/** It was called in a way that it does not know; said in one sentence, with exit code 2. */
export class UsageError extends Error {}

export const USAGE = `npm run topology -- [--keep] [--folder FOLDER] [--settings] [--skip-without-server]
  --keep              leave everything up until Ctrl-C, and print what a client needs
  --folder FOLDER     keep databases, Redis's file and logs there; the same folder goes on with them
  --settings          print what each part is given, and start nothing
  --skip-without-server   end well where there is no Temporal server and none can be built`;

export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        keep: { type: 'boolean', default: false },
        folder: { type: 'string' },
        settings: { type: 'boolean', default: false },
        'skip-without-server': { type: 'boolean', default: false },
      },
    });
    return {
      keep: values.keep,
      folder: values.folder ?? null,
      settings: values.settings,
      skipWithoutServer: values['skip-without-server'],
    };
  } catch (error) {
    throw new UsageError(`${error.message}\n${USAGE}`, { cause: error });
  }
}
