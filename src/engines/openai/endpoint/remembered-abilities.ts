import type { WireMemory } from '../../model/port/model-client';
import { Abilities, ALL_ABILITIES } from './endpoint-abilities';

/** What each model of the endpoint is known to take, as far as the memory has it. */
export function rememberedAbilities(memory: WireMemory): {
  of(model: string): Abilities;
  learn(model: string, abilities: Abilities): void;
} {
  return {
    // What cannot be read is learned again.
    of: (model) => Abilities.safeParse(memory.get(model)).data ?? ALL_ABILITIES,
    learn: (model, abilities) => {
      const isUsual = JSON.stringify(abilities) === JSON.stringify(ALL_ABILITIES);
      memory.set(model, isUsual ? null : abilities);
    },
  };
}
