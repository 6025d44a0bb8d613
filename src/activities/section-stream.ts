import type { RunEventType } from '../core/contracts/event';
import { eventKey } from '../core/event-key';
import type { EventLog } from '../stores/event-log';

/** A section's text on its way into the event log. */
export interface SectionStream {
  /** Takes the next part of the text; it is appended in the background, in order. */
  write(text: string): void;
  /** Resolves when the log holds exactly `markdown` for the section; rejects where an append was refused. */
  finish(markdown: string): Promise<void>;
}

/**
 * Continues what the log has of the section. As long as the text is the one that is there already (an attempt that is
 * made again finds its own words) nothing is appended; at the first difference a new generation is announced, and
 * holds the text from its start. So a reader of the newest generation always has the text that the report has.
 */
export async function openSectionStream(
  events: EventLog,
  runId: string,
  section: string,
): Promise<SectionStream> {
  let { generation, text: logged } = await newestGeneration(events, runId, section);
  let received = '';
  let appending: Promise<void> = Promise.resolve();

  const append = (type: RunEventType, ordinal: string): string =>
    eventKey({ pass: 4, step: 'write-section', section, type, ordinal });
  const restart = async (): Promise<void> => {
    generation += 1;
    logged = '';
    await events.appendOnce(runId, append('section-restarted', `${generation}`), {
      type: 'section-restarted',
      payload: { section, generation },
    });
  };
  const bring = async (target: string): Promise<void> => {
    if (logged.startsWith(target)) return;
    if (!target.startsWith(logged)) await restart();
    const offset = logged.length;
    const text = target.slice(offset);
    await events.appendOnce(runId, append('content-chunk', `${generation}.${offset}`), {
      type: 'content-chunk',
      payload: { section, generation, offset, text },
    });
    logged = target;
  };
  return {
    write(text) {
      received += text;
      const target = received;
      appending = appending.then(() => bring(target));
      appending.catch(() => undefined); // `finish` reports it
    },
    async finish(markdown) {
      await appending;
      if (markdown !== logged && logged.startsWith(markdown)) await restart();
      for (const paragraph of endsOfParagraphs(markdown)) await bring(markdown.slice(0, paragraph));
    },
  };
}

async function newestGeneration(
  events: EventLog,
  runId: string,
  section: string,
): Promise<{ generation: number; text: string }> {
  let generation = 1;
  let text = '';
  for (const event of await events.read(runId)) {
    if (event.type === 'section-restarted' && event.payload.section === section) {
      generation = event.payload.generation;
      text = '';
    } else if (event.type === 'content-chunk' && event.payload.section === section) {
      if (event.payload.generation === generation) text += event.payload.text;
    }
  }
  return { generation, text };
}

function endsOfParagraphs(markdown: string): number[] {
  const ends = [...markdown.matchAll(/\n{2,}/g)].map((gap) => gap.index + gap[0].length);
  return [...ends.filter((end) => end < markdown.length), markdown.length];
}
