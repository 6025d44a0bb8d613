import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

export const temporalDownloads = 'https://temporal.download';

/** What the download service says about a version; the SDK reads the same two fields. */
const DownloadInfo = z.object({ archiveUrl: z.url(), fileToExtract: z.string().min(1) });

/**
 * Downloads the server into `folder` as the SDK would, and returns the program's path. It gives up when nothing
 * arrives for `silenceMs`, not after a fixed time: a slow line is no reason to fail.
 */
export async function downloadServerBinary(options: {
  version: string;
  folder: string;
  baseUrl?: string;
  silenceMs?: number;
}): Promise<string> {
  const { version, folder, baseUrl = temporalDownloads, silenceMs = 20_000 } = options;
  const silence = new AbortController();
  const giveUp = (): void => {
    silence.abort(new Error(`nothing arrived for ${silenceMs / 1_000} s`));
  };
  const timer = setTimeout(giveUp, silenceMs);
  try {
    const response = await get(`${baseUrl}/cli/v${version}?${platformQuery().toString()}`, silence.signal);
    const info = DownloadInfo.parse(await response.json());
    const archive = join(folder, info.archiveUrl.endsWith('.zip') ? 'archive.zip' : 'archive.tar.gz');
    const { body } = await get(info.archiveUrl, silence.signal);
    if (body === null) throw new Error(`${info.archiveUrl} is empty`);
    await pipeline(
      Readable.fromWeb(body),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          timer.refresh();
          yield chunk;
        }
      },
      createWriteStream(archive),
      { signal: silence.signal },
    );
    clearTimeout(timer);
    // Windows, macOS and every Linux that the SDK runs on bring a `tar`; Windows's opens the zip files as well.
    await promisify(execFile)('tar', ['-xf', archive, '-C', folder, info.fileToExtract]);
    return join(folder, info.fileToExtract);
  } catch (error) {
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

async function get(url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    // fetch itself only says that it failed; its cause says why.
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${new URL(url).host} cannot be reached (${cause})`, { cause: error });
  }
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}

function platformQuery(): URLSearchParams {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform,
    format: 'tar.gz',
  });
}
