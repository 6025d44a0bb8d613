import { useProject } from './project-under-test';

const env = { COLLIGATE_ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}` };
const project = useProject();
const { colligate, start } = project;

test('codec needs keys, good flags, and a token where others reach it', async () => {
  const bare = await colligate('codec');
  expect(bare).toMatchObject({ code: 2, stdout: '' });
  expect(bare.stderr).toContain('COLLIGATE_ENCRYPTION_KEYS');
  const bad = await colligate('codec --port x --host 0.0.0.0 --origin ui', { env });
  expect(bad.code).toBe(2);
  for (const flag of ['--port is "x"', '--host is "0.0.0.0"', '--origin is "ui"'])
    expect(bad.stderr).toContain(flag);
});

test('codec answers those who bring the token, and stops at Ctrl-C', async () => {
  await project.write('token', 'open-sesame\n');
  const codec = start('codec --port 0 --token-file token --json', { env });
  await codec.said(/\n\}\s*$/);
  const { url } = JSON.parse(codec.saying().stdout) as { url: string };
  const encode = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}/encode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'MQ==' }] }),
    });
  expect((await encode({})).status).toBe(401);
  const answer = await encode({ authorization: 'Bearer open-sesame' });
  expect(JSON.stringify(await answer.json())).toContain(Buffer.from('binary/encrypted').toString('base64'));
  codec.stop();
  const { code, stdout, stderr } = await codec.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toMatch(/AQEB|sesame/);
});
