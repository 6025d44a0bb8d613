import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import puppeteer from 'puppeteer-core';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { describeWhere } from './describe-where';

/** A real Chromium without a window. */
export interface Browser {
  /** An empty page that reaches nothing but files, and the one origin that is named. */
  openPage(options?: { width?: number; scheme?: 'light' | 'dark'; origin?: string }): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** What a page did that nobody would see. */
export interface WatchedPage {
  page: Page;
  /** Addresses of requests that would have left the machine; none did. */
  refused: string[];
  /** Texts of dialogs, which were dismissed. */
  dialogs: string[];
  /** Errors of scripts, and of what the page's own policy forbids. */
  errors: string[];
  close(): Promise<void>;
}

/** Of any address that is no file, no name is known and no server asked. */
const LOCAL = ['file:', 'data:', 'blob:', 'about:'];

const PROGRAMS = [process.env['TEST_CHROMIUM'], 'chromium-headless-shell', 'chromium', 'google-chrome'];

/** The path of the first program that runs; undefined where there is none. */
const chromium = PROGRAMS.flatMap((program) => (program === undefined ? [] : pathsOf(program))).find(
  (path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** Where a program may lie: puppeteer takes no name that PATH resolves. */
function pathsOf(program: string): string[] {
  if (isAbsolute(program)) return [program];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).filter((path) => existsSync(path));
}

/** As `describe`, skipped under a title that says so where there is no Chromium. */
export function describeWithBrowser(title: string, tests: () => void): void {
  describeWhere(chromium !== undefined, 'Chromium (on PATH or TEST_CHROMIUM)', title, tests);
}

export async function openBrowser(): Promise<Browser> {
  const browser = await puppeteer.launch({
    ...(chromium === undefined ? {} : { executablePath: chromium }),
    // As root, and in most containers, there is no sandbox; the pages are our own.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  return {
    async openPage({ width = 1280, scheme = 'light', origin } = {}) {
      // Nobody is signed in there.
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      return watch(page, origin);
    },
    close: () => browser.close(),
  };
}

async function watch(page: Page, origin: string | undefined): Promise<WatchedPage> {
  const watched: WatchedPage = { page, refused: [], dialogs: [], errors: [], close: () => page.close() };
  await page.setRequestInterception(true);
  const letThrough = (request: HTTPRequest): Promise<void> => {
    const asked = new URL(request.url());
    if (LOCAL.includes(asked.protocol) || asked.origin === origin) return request.continue();
    watched.refused.push(request.url());
    return request.abort();
  };
  page.on('request', (request) => void letThrough(request));
  page.on('dialog', (dialog) => {
    watched.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => watched.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(message.text());
  });
  return watched;
}
