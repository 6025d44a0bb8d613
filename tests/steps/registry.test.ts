import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MATERIAL_IS_EVIDENCE } from '../../src/steps/material/material-rules';
import { STEPS } from '../../src/steps/registry';
import { namedVariables } from '../../src/steps/template';

const FOLDER = join(__dirname, '../../src/steps');

test('each folder with a contract and a prompt is a step of the registry, by its name', () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => readdirSync(join(FOLDER, name)).includes('contract.ts'));
  expect(STEPS.map(({ name }): string => name).sort()).toEqual(folders.sort());
});

test.each(STEPS.map((step) => [step.name, step] as const))(
  '%s: the prompt says what material is, and the contract can be told as a schema',
  (_name, { template, input, output }) => {
    expect(template.system).toContain(MATERIAL_IS_EVIDENCE);
    expect(namedVariables(template)).toContain('mark');
    expect(z.toJSONSchema(input)).toHaveProperty('type', 'object');
    expect(z.toJSONSchema(output)).toHaveProperty('type', 'object');
  },
);
