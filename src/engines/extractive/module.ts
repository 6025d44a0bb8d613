import type { EngineModule } from '../engine-module';
import { createExtractiveEngine } from './engine';

/** Needs nothing but threads, so it is always there. */
export const extractiveModule: EngineModule = {
  create: async (_settings, { threads }) => createExtractiveEngine({ threads }),
};
