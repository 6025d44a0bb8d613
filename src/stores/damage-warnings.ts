import { createHash } from 'node:crypto';
import { errorMessage } from '../platform/error-message';
import type { EventLog } from './event-log';
import type { EntryKind } from './seal';

/** What was found under keys and is not what was put there. */
export interface Damage {
  kind: EntryKind;
  keys: readonly string[];
  /** Who asked for it; null where nobody did. */
  runId: string | null;
}

export type TellDamage = (damage: Damage) => Promise<void>;

/** Of so many damaged entries a process remembers that it has told of them. */
const MOST_REMEMBERED = 10_000;
const KEY_CHARS = 80;

const KINDS: Readonly<Record<EntryKind, { one: string; many: string; then: string }>> = {
  derived: { one: 'An index or vectors', many: 'indexes or vectors', then: 'made anew' },
  response: { one: 'An answer of a model', many: 'answers of models', then: 'asked for anew' },
  secret: {
    one: 'The secret of the marks around sources',
    many: 'secrets',
    then: 'made anew, so that answers kept so far are asked for anew',
  },
};

/**
 * Tells of damage once: in the log of the run that met it, where there is one, so that whoever follows the run reads it; else as a
 * warning of this process.
 */
export function createDamageWarnings(
  events: Pick<EventLog, 'read' | 'appendOnce'>,
  warn: (message: string) => void,
): TellDamage {
  const told = new Set<string>();

  async function isToldInRun(runId: string, name: string, message: string): Promise<boolean> {
    // What holds entries and has no events is no run: telling it would begin one.
    const [first] = await events.read(runId, { limit: 1 });
    if (first === undefined) return false;
    const payload = { code: 'damaged-entry', message };
    await events.appendOnce(runId, `damaged-entry/${name}`, { type: 'warning', payload });
    return true;
  }

  return async ({ kind, keys, runId }) => {
    const name = createHash('sha256')
      .update(JSON.stringify([kind, ...keys]))
      .digest('hex');
    const message = inWords(kind, keys);
    let untold = '';
    if (runId !== null) {
      try {
        if (await isToldInRun(runId, name, message)) return;
      } catch (error) {
        // A closed log, or one that is damaged too; the warning is not lost for that.
        untold = ` The run ${runId} could not be told: ${errorMessage(error)}`;
      }
    }
    if (told.has(name)) return;
    if (told.size >= MOST_REMEMBERED) told.clear();
    told.add(name);
    warn(`${message}${untold}`);
  };
}

function inWords(kind: EntryKind, keys: readonly string[]): string {
  const { one, many, then } = KINDS[kind];
  const [first = ''] = keys;
  const shown = first.length > KEY_CHARS ? `${first.slice(0, KEY_CHARS)}…` : first;
  const what =
    keys.length === 1 ? `${one} in the store (key ${shown}) is` : `${keys.length} ${many} in the store are`;
  return (
    `${what} not what was stored there: damaged, or written by something else. ` +
    `${keys.length === 1 ? 'It counts as absent and is' : 'They count as absent and are'} ${then}. Check the disk, and who else writes to the store.`
  );
}
