import { engineNames } from '../../src/contracts/run/engines';
import { useConfigFolder } from './config-folder';

const { writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

test('the openai engine needs an endpoint and models, and what is missing is named', () => {
  const others = engineNames.filter((name) => name !== 'openai').join(', ');
  const needed = {
    OPENAI_BASE_URL: 'http://localhost:8000/v1',
    COLLIGATE_MODEL_FAST: 'small',
    COLLIGATE_MODEL_STRONG: 'large',
  };
  expect(load(needed, { engine: 'openai' })).toMatchObject({
    engine: 'openai',
    openai: { models: { fast: 'small', strong: 'large', critic: null, embedding: null } },
  });
  expect(toldProblems({ COLLIGATE_MODEL_FAST: 'small' }, { engine: 'openai' })).toEqual([
    `--engine (flag) "openai": ${others}, or openai together with OPENAI_BASE_URL, COLLIGATE_MODEL_STRONG`,
  ]);
  for (const name of Object.keys(needed)) {
    const [problem] = problemsOf({ ...needed, [name]: '', COLLIGATE_ENGINE: 'openai' });
    expect(problem?.allowed).toBe(`${others}, or openai together with ${name}`);
  }
});

test('a configured endpoint alone still leaves the extractive engine', () => {
  expect(load({ OPENAI_BASE_URL: 'http://localhost:8000/v1', OPENAI_API_KEY: 'k' }).engine).toBe(
    'extractive',
  );
});

test('models come by their role from the environment and the file, prices and windows from the file', () => {
  writeConfigFile({
    openai: {
      models: { fast: 'small', strong: 'large' },
      prices: { 'vendor/large-1.5': { input: 2.5, output: 10 } },
      contextTokens: { small: 8_192 },
      requestsPerSecond: 0.5,
    },
  });
  const { openai } = load({
    COLLIGATE_MODEL_STRONG: 'larger',
    COLLIGATE_MODEL_TIMEOUT_MS: '5000',
    COLLIGATE_MODEL_EMBEDDING: 'near',
  });
  expect(openai.models).toEqual({ fast: 'small', strong: 'larger', critic: null, embedding: 'near' });
  expect(openai.prices).toEqual({ 'vendor/large-1.5': { input: 2.5, output: 10 } });
  expect(openai.contextTokens).toEqual({ small: 8_192 });
  expect(openai.requestsPerSecond).toBe(0.5);
  expect(openai.timeoutMs).toBe(5_000);
});
