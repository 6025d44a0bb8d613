import { groupedDigits } from '../values/grouped-digits';
import { meant, type JsonSchema } from './json-schema';

export function allowedText(schema: JsonSchema): string {
  if (schema.description !== undefined) return schema.description;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf !== undefined) {
    const alternatives = meant(schema).map(allowedText);
    return [...alternatives, ...(meant(schema).length < schema.anyOf.length ? ['null'] : [])].join(', or ');
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

/** The numbers that a schema allows, as what follows `a number`. */
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
