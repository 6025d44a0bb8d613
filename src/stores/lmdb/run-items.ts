import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunId } from '../../contracts/run/run';
import { inParts } from '../in-parts';
import type { ItemKind, RunItems } from '../run-items';
import { runKey } from '../run-key';
import type { StoreEnvironment } from './environment';

/** Copies lie under `name/run`, so that any run's is found by the name; `run/name` lists those of a run. */
export function openRunItems(environment: StoreEnvironment, kind: ItemKind): RunItems {
  const copies = environment.binaryTable(kind);
  const names = environment.table<1>(`${kind}-of-runs`);

  function copy(run: string, name: string, value: Buffer): void {
    void copies.put(`${name}/${run}`, value);
    void names.put(`${run}/${name}`, 1);
  }

  function find(name: string): Buffer | undefined {
    for (const { value } of copies.getRange({ ...below(name), limit: 1 })) return value;
    return undefined;
  }

  return {
    async put(runId, values) {
      const run = runKey(runId);
      for (const part of inParts(values, ([, value]) => value.byteLength)) {
        await environment.write(() => {
          for (const [name, { buffer, byteOffset, byteLength }] of part) {
            const value = Buffer.from(buffer, byteOffset, byteLength);
            if (find(name)?.equals(value) === false)
              for (const key of [...copies.getKeys(below(name))]) void copies.put(key, value);
            copy(run, name, value);
          }
        });
        await nextTurn();
      }
    },
    async read(wanted) {
      const found = new Map<string, Buffer>();
      environment.read(() => {
        for (const name of wanted) {
          const value = find(name);
          // A copy: what lmdb hands out may lie in a buffer that it uses again.
          if (value !== undefined) found.set(name, Buffer.from(value));
        }
      });
      return found;
    },
    async hold(runId, wanted) {
      const run = runKey(runId);
      const missing: string[] = [];
      const isHeld = (name: string): boolean => copies.doesExist(`${name}/${run}`);
      for (const part of inParts(wanted, () => 0)) {
        const rest = environment.read(() => part.filter((name) => !isHeld(name)));
        if (rest.length > 0)
          await environment.write(() => {
            for (const name of rest) {
              const value = find(name);
              if (value === undefined) missing.push(name);
              else copy(run, name, Buffer.from(value));
            }
          });
        await nextTurn();
      }
      return missing;
    },
    async clearRun(runId) {
      const run = runKey(RunId.parse(runId));
      let cleared = 0;
      for (const part of inParts(
        environment.read(() => [...names.getKeys(below(run))]),
        () => 0,
      )) {
        await environment.write(() => {
          for (const key of part) {
            void names.remove(key);
            void copies.remove(`${key.slice(run.length + 1)}/${run}`);
          }
        });
        cleared += part.length;
        await nextTurn();
      }
      return cleared;
    },
  };
}

/** The range of keys that begin with `prefix` and a slash; `0` is the character after the slash. */
export function below(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` };
}
