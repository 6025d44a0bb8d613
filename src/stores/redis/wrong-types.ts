import type { Redis } from 'ioredis';
import { StoreDamagedError } from '../errors/store-damaged-error';

/** What the keys of an installation are. What is passing is worth nothing later, and is forgotten where it is of another type. */
const KEY_TYPES: readonly { begins: RegExp; type: string; isPassing: boolean }[] = [
  { begins: /^events:/, type: 'stream', isPassing: false },
  { begins: /^log:/, type: 'hash', isPassing: false },
  { begins: /^runs$/, type: 'set', isPassing: false },
  { begins: /^(?:content|derived|responses):/, type: 'hash', isPassing: false },
  // What a run holds ends with its time to live where this is lost.
  { begins: /^(?:content|derived|responses)-of:/, type: 'set', isPassing: true },
  { begins: /^(?:fresh|turn):/, type: 'string', isPassing: true },
  { begins: /^lease:/, type: 'hash', isPassing: true },
  { begins: /^slots:/, type: 'zset', isPassing: true },
];

interface WrongKey {
  key: string;
  found: string;
  wanted: string;
  isPassing: boolean;
}

/**
 * What becomes of a command that met a key of another type: true where all of them were passing, and are gone, so that the command
 * may be sent again; false where the error is not of that. Throws `StoreDamagedError`, which names the keys.
 */
export async function settleWrongTypes(
  redis: Redis,
  error: unknown,
  { where, warn }: { where: string; warn: (message: string) => void },
): Promise<boolean> {
  // Redis 6 has the code within the message where a script met it.
  if (!(error instanceof Error) || !/\bWRONGTYPE\b/.test(error.message)) return false;
  const wrong: WrongKey[] = [];
  for (const key of keysOfCommand(error)) {
    const found = await redis.type(key);
    const name = key.replace(/^\{[^}]*\}:/, '');
    const known = KEY_TYPES.find(({ begins }) => begins.test(name));
    if (known === undefined || found === 'none' || found === known.type) continue;
    wrong.push({ key, found, wanted: known.type, isPassing: known.isPassing });
  }
  const told = wrong.map(
    ({ key, found, wanted }) => `the key ${key} is a ${found} and should be a ${wanted}`,
  );
  const isMended = wrong.length > 0 && wrong.every(({ isPassing }) => isPassing);
  if (!isMended)
    throw new StoreDamagedError(where, told.length === 0 ? error.message : told.join(', '), { cause: error });
  await redis.del(...wrong.map(({ key }) => key));
  warn(`In ${where} ${told.join(', ')}: something else wrote it. It was removed, and is made anew.`);
  return true;
}

/** The keys that a command was sent with, as ioredis notes it on the error; a script's stand behind their count. */
function keysOfCommand(error: Error): string[] {
  const { command } = error as Error & { command?: { name: string; args: unknown[] } };
  if (command === undefined) return [];
  const args = command.args.map(String);
  return /^eval/i.test(command.name) ? args.slice(2, 2 + Number(args[1])) : args.slice(0, 1);
}
