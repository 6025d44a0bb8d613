/** The part of JSON Schema that the project's contracts come out as; a test holds that they need no more. */
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
  /** What a text is, such as an address: for readers, and for whoever stores it, who checks it. */
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** What a value is by JSON Schema's names, `integer` for a whole number. */
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

/** The alternatives that are no null: what is meant where something is given. */
export function meant(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
}
