import { z } from 'zod';
import { ConfigSchema } from './schema';
import type { SettingPath } from './setting-names';

/** The parts of a JSON schema that describe a setting. */
interface SettingSchema {
  type?: string;
  enum?: string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  anyOf?: SettingSchema[];
  properties?: Record<string, SettingSchema>;
}

// The schema speaks about what is given, before defaults; its shape is the one that JSON Schema defines.
const root = z.toJSONSchema(ConfigSchema, { io: 'input' }) as SettingSchema;

function settingSchema(path: SettingPath): SettingSchema {
  const found = path
    .split('.')
    .reduce<SettingSchema | undefined>((schema, key) => schema?.properties?.[key], root);
  const alternatives = found?.anyOf ?? (found === undefined ? [] : [found]);
  const wanted = alternatives.find((alternative) => alternative.type !== 'null') ?? {};
  const description = found?.description ?? wanted.description;
  return description === undefined ? wanted : { ...wanted, description };
}

/** How a flag's or a variable's text is to be read. */
export function settingType(path: SettingPath): 'number' | 'boolean' | 'text' {
  const { type } = settingSchema(path);
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** What a setting may be, in words; taken from the schema so that the two cannot differ. */
export function allowedValues(path: SettingPath): string {
  const schema = settingSchema(path);
  if (schema.description !== undefined) return schema.description;
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.type === 'boolean') return 'true, false';
  if (schema.type === 'integer' || schema.type === 'number') {
    return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${range(schema)}`;
  }
  return 'text that is not empty';
}

function range({ minimum, maximum, exclusiveMinimum }: SettingSchema): string {
  const upper = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined && upper !== undefined) return ` from ${minimum} to ${upper}`;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}
