import { z } from 'zod';
import { StoreFormatError } from '../errors/store-format-error';
import type { StoreEnvironment } from './environment';

/** Raised with every change to the layout of keys or values that older versions would misread. */
const STORE_FORMAT = 1;

/** Marks a new store with the format, and refuses a store of another one before anything in it is touched. */
export async function checkStoreFormat(environment: StoreEnvironment): Promise<void> {
  const about = environment.jsonTable('about', z.unknown());
  const seen = environment.read(() => about.get('format'));
  const found =
    seen ??
    (await environment.write(() => {
      const existing = about.get('format');
      if (existing === undefined) about.put('format', STORE_FORMAT);
      return existing ?? STORE_FORMAT;
    }));
  if (found !== STORE_FORMAT) throw new StoreFormatError(environment.path, found, STORE_FORMAT);
}
