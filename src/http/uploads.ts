import { createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyContextConfig, FastifyError, FastifyRequest } from 'fastify';
import type { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { errorCode } from '../lib/errors';
import { sizeText } from '../lib/files';
import { findExceededBound, formatValue, type JsonBounds, parseBoundedJson } from '../lib/json';
import { HttpProblem } from './problem';
import { type App, createOwnerCounter, tooManyProblem } from './server-context';

const REQUEST_FIELD = 'request';
const FILES_FIELD = 'files';
const MAX_FILES = 100;
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 8 * 1024 * 1024;
/** Of JSON, counted before values are built. 10,000 sources of ten fields are 110,000 values, without their pages. */
export const BODY_BOUNDS: JsonBounds = { values: 250_000, members: 10_000 };

/** Files of a request, in a folder of their own until the response. */
export interface Uploaded {
  folder: string;
  paths: string[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts multipart: files beside one field of JSON, or beside the fields of a form. */
    uploads?: true | 'form';
  }
  interface FastifyRequest {
    uploaded: Uploaded | null;
  }
}

/**
 * Streams files to the disk; the readers of sources check their content. The rest of a too large upload is
 * read and dropped, so that the client gets the response.
 */
export async function acceptUploads(
  app: App,
  limits: { maxBytes: number; maxJson: number; mostAtOnce: number },
): Promise<void> {
  const { maxBytes, mostAtOnce } = limits;
  const underWay = createOwnerCounter();
  const open = new Map<string, () => void>();
  await app.register(multipart, {
    preservePath: true, // a path is rejected, not cut to a name
    throwFileSizeLimit: false,
    // The plugin would parse JSON fields. As files they are counted first.
    isPartAFile: (_field: unknown, type: string | undefined, name: string | undefined) =>
      name !== undefined || (type !== undefined && !type.startsWith('text/')),
    limits: {
      fieldNameSize: 100,
      fields: 1,
      fieldSize: MAX_FIELD_BYTES,
      files: MAX_FILES,
      // A truncated file ends only when its sender stops. The count rejects it earlier.
      fileSize: maxBytes + 1,
      parts: MAX_FILES + 1,
      headerPairs: 20,
    },
  });
  app.decorateRequest('uploaded', null);
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    if (request.routeOptions.config.uploads === undefined)
      throw new HttpProblem(415, 'media-type', 'Send JSON: no files are taken here.');
    const leave = underWay.enter(request.caller.owner, mostAtOnce);
    if (leave === null)
      throw tooManyProblem('uploads under way', mostAtOnce, 'Send this one when one has been answered.');
    const folder = await makeUploadFolder().catch((error: unknown) => {
      leave();
      throw problemOfUpload(error);
    });
    open.set(folder, leave);
    request.uploaded = { folder, paths: [] };
    try {
      request.body = await receiveParts(request, request.uploaded, limits);
    } catch (error) {
      request.raw.unpipe();
      request.raw.resume();
      throw problemOfUpload(error);
    }
  });
  // Nothing reads the files after the response.
  app.addHook('onSend', async ({ uploaded }) => {
    if (uploaded === null) return;
    try {
      await rm(uploaded.folder, { recursive: true, force: true, maxRetries: 3 });
    } finally {
      open.get(uploaded.folder)?.();
      open.delete(uploaded.folder);
    }
  });
  app.addHook('onClose', async () => {
    for (const folder of open.keys()) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

async function receiveParts(
  request: FastifyRequest,
  { folder, paths }: Uploaded,
  { maxBytes, maxJson }: { maxBytes: number; maxJson: number },
): Promise<unknown> {
  const tooLarge = new HttpProblem(
    413,
    'too-large',
    `An upload has at most ${sizeText(maxBytes)}: send its files in several.`,
  );
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + maxJson) throw tooLarge;
  let left = maxBytes;
  let body: unknown;
  const isForm = request.routeOptions.config.uploads === 'form';
  const form: Record<string, unknown> = {};
  for await (const part of request.parts(
    isForm ? { limits: { fields: MAX_FIELDS, parts: MAX_FILES + MAX_FIELDS } } : {},
  )) {
    if (part.type === 'field' && isForm) {
      if (part.valueTruncated === true) throw tooLarge;
      form[part.fieldname] = part.value;
      continue;
    }
    if (part.type === 'field') {
      if (part.fieldname !== REQUEST_FIELD) throw unknownField(part.fieldname);
      if (part.valueTruncated === true) throw tooLarge;
      body = parseRequestField(String(part.value));
      continue;
    }
    if (part.fieldname === REQUEST_FIELD && !isForm) {
      body = parseRequestField(await fieldText(part.file));
      continue;
    }
    if (part.fieldname !== FILES_FIELD) throw unknownField(part.fieldname);
    // Browsers send this if no file was chosen.
    if (isForm && part.filename === '') {
      part.file.resume();
      continue;
    }
    const path = join(folder, fileName(part.filename));
    if (paths.includes(path))
      throw new HttpProblem(422, 'file-name', `Two files are called ${formatValue(part.filename)}.`);
    paths.push(path);
    await pipeline(
      part.file,
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          left -= chunk.length;
          if (left < 0) throw tooLarge;
          yield chunk;
        }
      },
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
  }
  if (isForm) return form;
  if (body === undefined)
    throw new HttpProblem(
      422,
      'request',
      `An upload has a field "${REQUEST_FIELD}", with what is asked for as JSON, beside its "${FILES_FIELD}".`,
    );
  return body;
}

async function fieldText(part: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of part) {
    bytes += chunk.length;
    if (bytes > MAX_FIELD_BYTES)
      throw new HttpProblem(
        413,
        'too-large',
        `The field "${REQUEST_FIELD}" has at most ${sizeText(MAX_FIELD_BYTES)}: send texts as files.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseRequestField(text: string): unknown {
  const beyond = findExceededBound(text, BODY_BOUNDS);
  if (beyond !== null)
    throw new HttpProblem(413, 'too-large', `The field "${REQUEST_FIELD}" has ${beyond.why}.`);
  const read = parseBoundedJson(text);
  if (read.ok) return read.value;
  throw new HttpProblem(400, 'request', `The field "${REQUEST_FIELD}" is ${read.message}.`);
}

/** Files are stored under these names, so a path is rejected. */
function fileName(given: string): string {
  const isName = /^[^/\\\p{C}]{1,200}$/u.test(given) && !/^\.{1,2}$/.test(given) && given.trim() === given;
  if (isName && Buffer.byteLength(given) <= 255) return given;
  throw new HttpProblem(
    422,
    'file-name',
    `A file is called ${formatValue(given)}; send its name alone, at most 200 characters, and no path.`,
  );
}

function unknownField(name: string): HttpProblem {
  return new HttpProblem(
    422,
    'request',
    `An upload has a field "${REQUEST_FIELD}" and its "${FILES_FIELD}", and no ${formatValue(name)}.`,
  );
}

const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Messages of the multipart reader are for programmers. */
function problemOfUpload(error: unknown): unknown {
  const { code = '', statusCode = 400 } = error as Partial<FastifyError>;
  if (/^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(code))
    return new HttpProblem(
      413,
      'too-many-parts',
      `An upload has one field "${REQUEST_FIELD}" and at most ${MAX_FILES} files: send the others in a further one.`,
    );
  if (error instanceof HttpProblem || !(error instanceof Error)) return error;
  if (DISK_FULL_CODES.has(errorCode(error) ?? ''))
    return new HttpProblem(503, 'no-room', 'The temporary folder is full: send the files again in a moment.');
  // Disk errors have a `syscall` and are errors of this server. A form that ends too early has none.
  return statusCode < 500 && !('syscall' in error)
    ? new HttpProblem(400, 'upload', `The upload cannot be read as multipart/form-data: ${error.message}.`)
    : error;
}

const PREFIX = 'colligate-upload-';
const OTHERS = ['colligate-print-', 'colligate-probe-'];
/** In milliseconds, for names without a process of this host. No request takes a day. */
const MAX_AGE_MS = 86_400_000;

/** The name has host and process, so that a later start recognises leftovers. */
function makeUploadFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${PREFIX}${hostname()}-${process.pid}-`));
}

export async function sweepUploads(isProcessAlive: (pid: number) => boolean): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const isOurs = (name: string): boolean => [PREFIX, ...OTHERS].some((prefix) => name.startsWith(prefix));
  for (const name of names.filter(isOurs)) {
    const path = join(tmpdir(), name);
    if (await isLeftover(path, name, isProcessAlive))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftover(
  path: string,
  name: string,
  isProcessAlive: (pid: number) => boolean,
): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== userInfo().uid) return false;
  const own = `${PREFIX}${hostname()}-`;
  const pid = name.startsWith(own) ? Number(/^\d+/.exec(name.slice(own.length))?.[0]) : NaN;
  if (Number.isNaN(pid)) return Date.now() - found.mtimeMs > MAX_AGE_MS;
  // In a container, a new process can have the id of the old one.
  if (pid === process.pid) return found.mtimeMs < Date.now() - process.uptime() * 1_000;
  return !isProcessAlive(pid);
}

type Transformed = ReturnType<typeof jsonSchemaTransform>;

/** Documents a route with uploads: its body as JSON, or as a form field beside files. */
export function documentUploads(
  { route }: { route: { config?: FastifyContextConfig } },
  { schema, url }: Transformed,
): Transformed {
  const { body } = schema as { body?: object };
  if (route.config?.uploads !== true || body === undefined) return { schema, url };
  const form = {
    type: 'object',
    required: [REQUEST_FIELD],
    properties: {
      [REQUEST_FIELD]: body,
      [FILES_FIELD]: {
        type: 'array',
        maxItems: MAX_FILES,
        // Generators recognise a file by the `format` of OpenAPI 3.0.
        items: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      },
    },
  };
  const content = { 'application/json': { schema: body }, 'multipart/form-data': { schema: form } };
  return { schema: { ...schema, body: { content } }, url };
}
