import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config';
import { BUILT_IN_PRICES, knownModel } from '../../src/app/price-list';
import { modelChoices } from '../../src/contracts/settings';
import { useConfigFolder } from './config-folder';

const OPENAI = 'https://api.openai.com/v1';
const PROXY = 'https://proxy.example.org/v1';

function priceAt(name: string, baseUrl: string | null): [number, number] | null {
  const known = knownModel(BUILT_IN_PRICES, name, baseUrl);
  return known === null ? null : [known.input, known.output];
}

describe('the prices that ship', () => {
  it.each([
    ['gpt-5-mini', OPENAI],
    ['gpt-5-mini-2025-08-07', OPENAI],
    ['GPT-5-mini', PROXY],
    ['openai/gpt-5-mini', 'https://openrouter.ai/api/v1'],
    ['azure/gpt-5-mini', PROXY],
    ['gpt-5-mini', 'https://mine.openai.azure.com/openai/v1'],
    ['openai/gpt-5-mini', 'http://127.0.0.1:4000/v1'],
  ])('know %s at %s', (name, baseUrl) => {
    expect(priceAt(name, baseUrl)).toEqual([0.25, 2]);
  });

  it.each([
    ['models/gemini-2.5-flash', 'https://generativelanguage.googleapis.com/v1beta/openai', [0.3, 2.5]],
    ['gemini-2.5-flash-001', PROXY, [0.3, 2.5]],
    ['claude-sonnet-4-5-20250929', 'https://api.anthropic.com/v1', [3, 15]],
    ['anthropic/claude-sonnet-4.5', 'https://openrouter.ai/api/v1', [3, 15]],
    ['gpt-4o-2024-05-13', OPENAI, [5, 15]],
    ['deepseek-chat', 'https://api.deepseek.com', [0.28, 0.42]],
    ['openai/gpt-oss-120b', 'https://api.groq.com/openai/v1', [0.15, 0.6]],
    ['openai/gpt-oss-120b', 'https://openrouter.ai/api/v1', [0.18, 0.8]],
    ['groq/llama-3.3-70b-versatile', PROXY, [0.59, 0.79]],
    ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'https://api.together.xyz/v1', [0.88, 0.88]],
    ['qwen/qwen3-32b:free', 'https://openrouter.ai/api/v1', [0, 0]],
  ])('know %s at %s', (name, baseUrl, price) => {
    expect(priceAt(name, baseUrl)).toEqual(price);
  });

  it.each([
    ['gpt-5-micro', OPENAI],
    ['gpt-5-mini-prod', PROXY],
    ['my-gpt-5', 'https://mine.openai.azure.com/openai/v1'],
    ['gpt-3.5-turbo-1106', OPENAI],
    ['llama-3.3-70b-versatile', PROXY],
    ['openai/gpt-oss-120b', PROXY],
    ['deepseek-chat', OPENAI],
    ['qwen3:8b', null],
  ])('do not guess %s at %s', (name, baseUrl) => {
    expect(priceAt(name, baseUrl)).toBeNull();
  });

  it.each(['qwen3:8b', 'openai/gpt-oss-20b', 'deepseek-chat', 'mistral-small-latest'])(
    'have %s for nothing on this machine',
    (name) => {
      for (const host of ['127.0.0.1:11434', 'localhost:1234', '[::1]:8080'])
        expect(priceAt(name, `http://${host}/v1`)).toEqual([0, 0]);
    },
  );
});

describe('the configuration', () => {
  const env = {
    OPENAI_BASE_URL: OPENAI,
    COLLIGATE_MODEL_FAST: 'gpt-4',
    COLLIGATE_MODEL_STRONG: 'gpt-5-mini',
  };

  it('takes prices and small windows from the list, and what is set before it', () => {
    const set = { ...env, COLLIGATE_PRICES: '{"gpt-5-mini":{"input":1,"output":2}}' };
    const models = modelChoices(loadConfig({ env: set }).openai);
    expect(models?.fast).toEqual({ name: 'gpt-4', contextTokens: 8192, price: { input: 30, output: 60 } });
    expect(models?.strong).toEqual({
      name: 'gpt-5-mini',
      contextTokens: 128_000,
      price: { input: 1, output: 2 },
    });
  });

  const folder = useConfigFolder();

  it('takes a file in the place of the list, and says what is wrong with one', () => {
    const file = join(folder.path(), 'prices.json');
    const provider = { name: 'Ours', source: 'https://example.org/', hosts: ['api.openai.com'] };
    const models = { 'gpt-5-mini': { input: 7, output: 8 } };
    const providers = [{ ...provider, prefixes: [], applies: 'own-host', models }];
    writeFileSync(file, JSON.stringify({ checked: '2026-01-01', providers }));
    const own = { ...env, COLLIGATE_PRICES_FILE: 'prices.json' };
    expect(folder.load(own).openai.prices).toEqual(models);

    writeFileSync(file, '{"checked":1}');
    expect(folder.toldProblems(own)).toEqual([expect.stringMatching(/COLLIGATE_PRICES_FILE.*checked/)]);
  });
});
