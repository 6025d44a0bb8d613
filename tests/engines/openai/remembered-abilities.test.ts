import { ALL_ABILITIES } from '../../../src/engines/openai/endpoint/endpoint-abilities';
import { rememberedAbilities } from '../../../src/engines/openai/endpoint/remembered-abilities';

const LESSER = { ...ALL_ABILITIES, temperature: false };

test.each([
  ['nothing', undefined],
  ['null', null],
  ['what another version kept', { temperature: 'no' }],
])('a memory that has %s of a model leaves it all abilities', (_what, kept) => {
  const abilities = rememberedAbilities({ get: () => kept, set: () => undefined });
  expect(abilities.of('small')).toEqual(ALL_ABILITIES);
});

test('what a model does not take is kept, and nothing where it takes all', () => {
  const memory = new Map<string, Record<string, unknown> | null>();
  const abilities = rememberedAbilities(memory);
  abilities.learn('small', LESSER);
  expect(abilities.of('small')).toEqual(LESSER);
  expect(abilities.of('large')).toEqual(ALL_ABILITIES);
  abilities.learn('small', ALL_ABILITIES);
  expect(memory.get('small')).toBeNull();
});
