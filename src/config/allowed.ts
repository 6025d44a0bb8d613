import { z } from 'zod';
import { rangeText } from '../core/shapes/allowed-text';
import { meant, type JsonSchema } from '../core/shapes/json-schema';
import { allowedIn, type Unit } from '../core/shapes/units';
import { ConfigSchema } from './schema';
import type { SettingPath } from './setting-names';

// The schema speaks about what is given, before defaults; its shape is the one that JSON Schema defines.
const root = z.toJSONSchema(ConfigSchema, { io: 'input' }) as JsonSchema;

function settingSchema(path: SettingPath): JsonSchema {
  const found = path
    .split('.')
    .reduce<JsonSchema | undefined>((schema, key) => schema?.properties?.[key], root);
  const [wanted = {}] = found === undefined ? [] : meant(found);
  const description = found?.description ?? wanted.description;
  return description === undefined ? wanted : { ...wanted, description };
}

export function settingType(path: SettingPath): 'number' | 'boolean' | 'table' | 'text' {
  const { type } = settingSchema(path);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'object' || type === 'array') return 'table';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** What a setting may be, in words; taken from the schema so that the two cannot differ. A flag may have a unit of its own. */
export function allowedValues(path: SettingPath, unit: Unit | null = null): string {
  const schema = settingSchema(path);
  if (unit !== null) return allowedIn(schema, unit);
  if (schema.description !== undefined) return schema.description;
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'integer' || schema.type === 'number') {
    return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${rangeText(schema)}`;
  }
  return 'text that is not empty';
}
