import { createIdentifier } from './identify';
import type { SourceReading } from './source-reading';

/** Several readings as one: an id that two of them give to different contents is a problem, as it is within one. */
export async function* chainedReadings(
  readings: readonly AsyncIterable<SourceReading>[],
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  for (const sources of readings) {
    for await (const reading of sources) {
      if (!reading.ok) yield reading;
      else yield identify({ name: reading.file, file: null }, reading);
    }
  }
}
