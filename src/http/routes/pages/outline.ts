import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { GivenOutline } from '../../../contracts/report/given-outline';
import type { Outline } from '../../../contracts/report/outline';
import type { RunHandle } from '../../../client/run-handle';
import { givenJson } from '../../../core/values/given-json';
import { MessageRefusedError } from '../../../client/steering/message-errors';
import { outlineEditor, type OutlineShown } from '../../../pages/outline-editor';
import { runPath } from '../../../pages/served-page';
import type { Routes } from '../../face';
import { taken } from '../../requests/run-form';
import { ownRun, RunIdParams } from '../own-run';
import { sendPage, viewerOf } from './looked-at';

const Several = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const Form = z.object({
  seen: z.coerce.number().int().nonnegative(),
  theme: z.string(),
  title: Several,
  place: Several,
  about: Several,
  subsections: Several,
  drop: Several.default([]),
  do: z.enum(['save', 'approve']).default('save'),
});

export const outlinePages: Routes = (app, face) => {
  app.get(
    '/runs/:runId/outline',
    { config: { scope: 'read', page: true }, schema: { hide: true, params: RunIdParams } },
    async (request, reply) => {
      const run = await ownRun(face, request);
      return sendPage(reply, outlineEditor(viewerOf(request), await shownOutline(run)));
    },
  );

  app.post(
    '/runs/:runId/outline',
    { config: { scope: 'run', page: true }, schema: { hide: true, params: RunIdParams, body: Form } },
    async (request, reply) => {
      const run = await ownRun(face, request);
      const { seen, do: wanted } = request.body;
      const outline = outlineOf(request.body);
      const before = await shownOutline(run);
      if (before.seen === seen && (await isTaken(run, outline, seen))) {
        await hasChanged(run, before.outline);
        if (wanted === 'approve') await run.approveOutline();
        return reply.redirect(runPath(run.runId, wanted === 'approve' ? '' : '/outline'), 303);
      }
      // Somebody else was heard, a moment ago perhaps.
      if (before.seen === seen) await hasChanged(run, before.outline);
      const shown = { ...(await shownOutline(run)), refused: outline };
      return sendPage(reply, outlineEditor(viewerOf(request), shown), 409);
    },
  );
};

async function shownOutline(run: RunHandle): Promise<OutlineShown> {
  const [outline, progress] = await Promise.all([run.outline(), run.progress()]);
  const isAwaited = progress.status === 'awaiting-approval';
  const steered = progress.toldBy === 'run' ? await run.steering() : null;
  const left = steered?.approval?.leftMs;
  const { stillSince } = progress;
  return {
    runId: run.runId,
    outline: outline === null ? null : given(outline),
    seen: steered?.applied.setOutline ?? 0,
    isOpen: steered !== null && progress.pass.number <= 1,
    isAwaited,
    until:
      left === undefined || stillSince === undefined
        ? null
        : new Date(Date.parse(stillSince) + left).toISOString(),
    refused: null,
  };
}

const LOOK_MS = 100;
const LOOKS = 50;

/** Who saves what the same outline was made of says so in the message's id: of two who do it at once the run hears one. */
async function isTaken(run: RunHandle, outline: GivenOutline, seen: number): Promise<boolean> {
  try {
    await run.setOutline(outline, { id: `page-outline-${seen + 1}` });
    return true;
  } catch (error) {
    if (error instanceof MessageRefusedError && error.type === 'MessageIdReused') return false;
    throw error;
  }
}

/** Waits until the run has made an outline of what it was sent, which takes it a moment; not for ever, since it may be the same. */
async function hasChanged(run: RunHandle, before: GivenOutline | null): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const outline = await run.outline();
    if (outline !== null && !isDeepStrictEqual(given(outline), before)) return;
    await setTimeout(LOOK_MS);
  }
}

function given({ overallTheme, sections }: Outline): GivenOutline {
  return {
    overallTheme,
    sections: sections.map(({ title, description, subsections }) => ({
      title,
      description,
      ...(subsections.length === 0 ? {} : { subsections: subsections.map((one) => one.title) }),
    })),
  };
}

const A_FEW = { values: 1_000, members: 1_000 };

/** The rows of the form in the order of their places; those without a title, and dropped ones, are none. */
function outlineOf({ theme, title, place, about, subsections, drop }: z.infer<typeof Form>): GivenOutline {
  const rows = title
    .map((text, at) => ({ text: text.trim(), at, place: Number(place[at] ?? at + 1) }))
    .filter(({ text, at }) => text !== '' && !drop.includes(String(at)))
    // Of two at one place the one that was moved there stands first.
    .sort((a, b) => a.place - b.place || Number(b.at + 1 !== b.place) - Number(a.at + 1 !== a.place));
  const outline = {
    ...(theme.trim() === '' ? {} : { overallTheme: theme.trim().replace(/\s+/g, ' ') }),
    sections: rows.map(({ text, at }) => {
      const description = about[at]?.trim() ?? '';
      const read = givenJson(subsections[at] ?? '[]', A_FEW);
      const below = z
        .array(z.string())
        .catch([])
        .parse(read.ok ? read.value : []);
      return {
        title: text,
        ...(description === '' ? {} : { description }),
        ...(below.length === 0 ? {} : { subsections: below }),
      };
    }),
  };
  return taken(GivenOutline.safeParse(outline));
}
