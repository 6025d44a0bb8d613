import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../config/config';

const limitMs = 30 * 60_000;

/**
 * Builds the server from the Go module proxy into `folder` with the given `go`, and returns the program's path. It
 * takes three to seven minutes on two cores (`docs` of the module: `go install`); `tell` hears of it now and then.
 */
export async function buildServerBinary(options: {
  version: string;
  folder: string;
  go: string;
  tell: (message: string) => void;
}): Promise<string> {
  const { version, folder, go, tell } = options;
  const startedAt = Date.now();
  tell(
    `Building the Temporal server ${version} with Go; this takes three to seven minutes, once for this user.`,
  );
  const build = spawn(
    go,
    ['install', '-trimpath', '-ldflags=-s -w', `github.com/temporalio/cli/cmd/temporal@v${version}`],
    { env: childEnvironment({ GOBIN: folder }), stdio: ['ignore', 'ignore', 'pipe'], timeout: limitMs },
  );
  let errors = '';
  build.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const progress = setInterval(() => {
    tell(`Still building the Temporal server (${Math.round((Date.now() - startedAt) / 1_000)} s).`);
  }, 30_000);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      build.on('error', reject).on('close', resolve);
    });
    if (code !== 0)
      throw new Error(
        `go install ended with ${code ?? 'a signal'}: ${errors.trim().split('\n').slice(-3).join(' / ')}`,
      );
    tell(`Built the Temporal server in ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
    return join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  } finally {
    clearInterval(progress);
  }
}
