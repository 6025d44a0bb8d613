import { checkReportRequest } from '../../src/cli/request/report-options';
import { newIo } from './command-line-under-test';
import { useConfigFolder } from '../config/config-folder';

const { path, load, writeConfigFile } = useConfigFolder();

async function chosen(unsupported?: string, env?: Record<string, string>): Promise<string> {
  const options = { sources: [path()], out: path(), ...(unsupported === undefined ? {} : { unsupported }) };
  const { config } = await checkReportRequest('What helps?', options, {
    io: { ...newIo(), cwd: path() },
    loadConfig: ({ flags } = {}) => load(env, flags),
  });
  return config.synthesis.unsupportedClaims;
}

test('--unsupported wins over the environment, the environment over the file', async () => {
  expect(await chosen()).toBe('mark');
  writeConfigFile({ synthesis: { unsupportedClaims: 'remove' } });
  expect(await chosen()).toBe('remove');
  const env = { COLLIGATE_UNSUPPORTED_CLAIMS: 'mark' };
  expect(await chosen(undefined, env)).toBe('mark');
  expect(await chosen('remove', env)).toBe('remove');
});
