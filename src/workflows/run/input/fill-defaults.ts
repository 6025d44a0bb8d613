import { isRecord } from '../../../core/values/is-record';
import { meant, type JsonSchema } from '../../../core/shapes/json-schema';

/** A value that fits its schema, with the schema's defaults where nothing is given; what is given stays as it is. */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  const given = value === undefined ? schema.default : value;
  const [only, ...others] = meant(schema);
  if (only === undefined || others.length > 0) return given;
  if (Array.isArray(given)) {
    const { items } = only;
    return items === undefined ? [...(given as unknown[])] : given.map((item) => fillDefaults(items, item));
  }
  if (!isRecord(given)) return given;
  const filled: Record<string, unknown> = { ...given };
  for (const [name, property] of Object.entries(only.properties ?? {})) {
    const settled = fillDefaults(property, given[name]);
    if (settled !== undefined) filled[name] = settled;
  }
  return filled;
}
