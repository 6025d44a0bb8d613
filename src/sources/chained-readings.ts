import { setImmediate } from 'node:timers/promises';
import { createIdentifier } from './identify';
import type { SourceReading } from './source-reading';

/** A process that serves others gets to do so after so many sources. */
const A_TURN = 100;

/** Several readings as one: an id that two of them give to different contents is a problem, as it is within one. */
export async function* chainedReadings(
  readings: readonly AsyncIterable<SourceReading>[],
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  let read = 0;
  for (const sources of readings) {
    for await (const reading of sources) {
      read += 1;
      if (read % A_TURN === 0) await setImmediate();
      if (!reading.ok) yield reading;
      else yield identify({ name: reading.file, file: null }, reading);
    }
  }
}
