import { z } from 'zod';

const UsdPerMillion = z.number().min(0).max(100_000);

/** What a model's tokens cost, in USD per million. */
export const ModelPrice = z.object({ input: UsdPerMillion, output: UsdPerMillion });
export type ModelPrice = z.infer<typeof ModelPrice>;

/** Prices by the model's name as the endpoint knows it. */
export const PriceTable = z.record(z.string().min(1), ModelPrice);
export type PriceTable = z.infer<typeof PriceTable>;
