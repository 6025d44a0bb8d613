import { ApplicationFailure } from '@temporalio/common';
import type { TextPart } from '../contracts/draft';
import type { RunEventBody, RunEventType } from '../contracts/event';
import type { WebhookStart } from '../contracts/run-input';
import { eventKey, type EventPlace } from '../contracts/run-protocol';
import { type SectionText, sectionTexts } from '../report/citations';
import type { EventLog } from '../stores/event-log';
import { StaleGenerationError } from '../stores/store-errors';
import type { ActivityPorts } from './ports';

// Appends events and streamed texts to the event log, and posts webhooks.

export interface RecordEventsInput {
  runId: string;
  /** In log order. */
  events: { key: string; event: RunEventBody }[];
}

export async function recordEvents(
  ports: ActivityPorts,
  { runId, events }: RecordEventsInput,
): Promise<void> {
  await Promise.all(events.map(({ key, event }) => ports.events.appendOnce(runId, key, event)));
}

export interface ForgetFormerEventsInput {
  runId: string;
  /** Start of the log to delete; a log with another start is the run's own and stays. */
  begunAt: string;
}

export async function forgetFormerEvents(
  { events }: ActivityPorts,
  { runId, begunAt }: ForgetFormerEventsInput,
): Promise<void> {
  await events.clearRun(runId, { begunAt });
}

const EMPTY_SECTION: SectionText = { generation: 1, start: 0, text: '', isWritten: false };

export interface SectionStream {
  /** Appends in the background, in order. */
  write(text: string): void;
  /** Resolves when the log holds exactly `markdown` for the section. Rejects if an append failed. */
  finish(markdown: string): Promise<void>;
}

/** Continues the logged text without repeating it; at the first difference a new generation starts. */
export async function openSectionStream(
  events: EventLog,
  runId: string,
  section: string,
  writer: Pick<EventPlace, 'pass' | 'step'>,
): Promise<SectionStream> {
  const inLog = async (): Promise<SectionText> =>
    sectionTexts(await events.read(runId)).get(section) ?? EMPTY_SECTION;
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
      // An attempt that was presumed dead may have appended under the same keys.
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

type PartText = Pick<TextPart, 'id' | 'markdown'>;
type Writer = Pick<EventPlace, 'pass' | 'step'>;

export interface PartStreams {
  write(text: string): void;
  finish(parts: readonly PartText[]): Promise<void>;
}

export function openPartStreams(
  { events }: Pick<ActivityPorts, 'events'>,
  runId: string,
  writer: Writer,
  partsIn: (markdown: string) => readonly PartText[],
): PartStreams {
  const open = new Map<string, { stream: Promise<SectionStream>; sent: string }>();
  let written = '';
  let writing: Promise<void> = Promise.resolve();
  return {
    write(text) {
      written += text;
      for (const { id, markdown } of partsIn(written)) {
        const known = open.get(id) ?? { stream: openSectionStream(events, runId, id, writer), sent: '' };
        open.set(id, known);
        // `finish` appends text that a later heading changes.
        if (markdown === known.sent || !markdown.startsWith(known.sent)) continue;
        const next = markdown.slice(known.sent.length);
        known.sent = markdown;
        writing = writing.then(async () => (await known.stream).write(next));
        writing.catch(() => undefined); // `finish` reports it
      }
    },
    async finish(parts) {
      await writing;
      for (const { id, markdown } of parts)
        await (await (open.get(id)?.stream ?? openSectionStream(events, runId, id, writer))).finish(markdown);
    },
  };
}

/** Appends only what differs from the log. */
export function streamParts(
  { events }: Pick<ActivityPorts, 'events'>,
  runId: string,
  writer: Writer,
  parts: readonly PartText[],
): Promise<void> {
  return openPartStreams({ events }, runId, writer, () => []).finish(parts);
}

export async function postWebhook(
  { webhooks }: ActivityPorts,
  { url, messageId, ...run }: WebhookStart,
  signal: AbortSignal,
): Promise<void> {
  if (webhooks === undefined)
    throw ApplicationFailure.nonRetryable(
      'This worker has no secret with which webhooks are signed. Start it with COLLIGATE_WEBHOOK_SECRET.',
    );
  const refusal = await webhooks.post(url, { messageId, run }, signal);
  if (refusal === null) return;
  throw ApplicationFailure.create({ message: refusal.reason, nonRetryable: !refusal.isRetryable });
}
