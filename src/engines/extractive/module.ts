import type { EngineModule } from '../engine-module';
import { createExtractiveEngine } from './engine';

export const extractiveModule: EngineModule = {
  create: async (_settings, { threads }) => createExtractiveEngine({ threads }),
};
