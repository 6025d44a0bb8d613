import type { RunEventType } from '../../contracts/run/event';
import { eventKey, type EventPlace } from '../../core/run/event-key';
import { sectionTexts, type SectionText } from '../../core/report/streamed-texts';
import { StaleGenerationError } from '../../stores/errors';
import type { EventLog } from '../../stores/event-log';

const NOTHING_TOLD: SectionText = { generation: 1, start: 0, text: '', isWritten: false };

export interface SectionStream {
  /** Takes the next part of the text; it is appended in the background, in order. */
  write(text: string): void;
  /** Resolves when the log holds exactly `markdown` for the section, and says so; rejects where an append was refused. */
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
  writer: Pick<EventPlace, 'pass' | 'step'>,
): Promise<SectionStream> {
  const inLog = async (): Promise<SectionText> =>
    sectionTexts(await events.read(runId)).get(section) ?? NOTHING_TOLD;
  let { generation, text: logged } = await inLog();
  let received = '';
  let appending: Promise<void> = Promise.resolve();

  const keyOf = (type: RunEventType, ordinal: string): string =>
    eventKey({ ...writer, section, type, ordinal });
  const restart = async (): Promise<void> => {
    generation += 1;
    logged = '';
    await events.appendOnce(runId, keyOf('section-restarted', `${generation}`), {
      type: 'section-restarted',
      payload: { section, generation },
    });
  };
  const append = async (offset: number, text: string): Promise<void> => {
    await events.appendOnce(runId, keyOf('content-chunk', `${generation}.${offset}`), {
      type: 'content-chunk',
      payload: { section, generation, offset, text },
    });
  };
  const bring = async (target: string): Promise<void> => {
    if (logged.startsWith(target)) return;
    if (!target.startsWith(logged)) await restart();
    await append(logged.length, target.slice(logged.length));
    logged = target;
  };
  const bringAll = async (markdown: string): Promise<void> => {
    if (markdown !== logged && (logged.startsWith(markdown) || !markdown.startsWith(logged))) await restart();
    const appended: Promise<void>[] = [];
    for (const end of endsOfParagraphs(markdown).filter((end) => end > logged.length)) {
      appended.push(append(logged.length, markdown.slice(logged.length, end)));
      logged = markdown.slice(0, end);
    }
    await Promise.all(appended);
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
      await bringAll(markdown);
      // An attempt that was taken for dead may have written in between, under the keys of this one.
      const told = await inLog();
      if (told.generation > generation)
        throw new StaleGenerationError(runId, section, generation, told.generation);
      if (told.start !== 0 || told.text !== markdown) {
        await restart();
        await bringAll(markdown);
      }
      await events.appendOnce(runId, keyOf('section-written', `${generation}`), {
        type: 'section-written',
        payload: { section, generation, chars: markdown.length },
      });
    },
  };
}

function endsOfParagraphs(markdown: string): number[] {
  const ends = [...markdown.matchAll(/\n{2,}/g)].map((gap) => gap.index + gap[0].length);
  return [...ends.filter((end) => end < markdown.length), markdown.length];
}
