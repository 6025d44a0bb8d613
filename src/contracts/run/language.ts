import { z } from 'zod';

/** In which language a run's texts are written, around quotes, which stay in that of their source; by ISO 639-1. */
export const Language = z.enum(['en', 'de']);
export type Language = z.infer<typeof Language>;
