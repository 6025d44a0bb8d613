import { groupedDigits } from './strings';

/** The subset of JSON Schema that the contracts use. A test checks this. */
export interface JsonSchema {
  $schema?: string;
  type?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | false;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (ArrayBuffer.isView(value)) return 'bytes';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
}

export function isOfType(type: string, value: unknown): boolean {
  const found = typeOfValue(value);
  return found === type || (found === 'integer' && type === 'number');
}

export function nonNullAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
}

export function allowedText(schema: JsonSchema): string {
  if (schema.description !== undefined) return schema.description;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf !== undefined) {
    const alternatives = nonNullAlternatives(schema).map(allowedText);
    return [
      ...alternatives,
      ...(nonNullAlternatives(schema).length < schema.anyOf.length ? ['null'] : []),
    ].join(', or ');
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${rangeText(schema)}`;
    case 'string':
      if (schema.format === 'uri') return 'an address, such as https://example.org/page';
      return `a text${sizeText(schema.minLength, schema.maxLength, 'character')}`;
    case 'array':
      return `a list${sizeText(schema.minItems, schema.maxItems, 'item')}`;
    case 'boolean':
      return 'true or false';
    case 'object':
      return objectText(schema);
    default:
      return 'any value';
  }
}

function objectText({ properties = {} }: JsonSchema): string {
  const names = Object.keys(properties);
  return names.length === 0 ? 'an object' : `an object with ${names.join(', ')}`;
}

export function rangeText({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const upper = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (exclusiveMinimum !== undefined)
    return ` above ${numberText(exclusiveMinimum)}${upper === undefined ? '' : ` and up to ${numberText(upper)}`}`;
  if (minimum !== undefined && upper !== undefined)
    return ` from ${numberText(minimum)} to ${numberText(upper)}`;
  if (upper !== undefined) return ` of at most ${numberText(upper)}`;
  return minimum === undefined ? '' : ` of at least ${numberText(minimum)}`;
}

function numberText(number: number): string {
  return number < 1_000_000 ? String(number) : groupedDigits(number);
}

function sizeText(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most} ${unit}s`;
  if (most !== undefined) return ` of at most ${most} ${unit}s`;
  if (least === undefined) return '';
  return ` of at least ${least === 1 ? `one ${unit}` : `${least} ${unit}s`}`;
}

/** Unit of user input that differs from the contract's unit. */
export interface Unit {
  name: string;
  size: number;
}

export const MINUTES: Unit = { name: 'minutes', size: 60_000 };

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses a number and converts it to the contract's unit. Null if the text is not a number; may be Infinity. */
export function parseNumber(text: string, unit: Unit | null): number | null {
  if (!NUMBER.test(text.trim())) return null;
  const number = Number(text);
  return unit === null ? number : Math.round(number * unit.size);
}

export function allowedRange({ minimum, maximum, exclusiveMinimum }: JsonSchema, unit: Unit): string {
  const range: JsonSchema = Object.fromEntries(
    Object.entries({ minimum, maximum, exclusiveMinimum }).flatMap(([name, bound]) =>
      bound === undefined ? [] : [[name, bound / unit.size]],
    ),
  );
  return `a number of ${unit.name}${rangeText(range)}`;
}
