/** Values that arrive as text: query parameters, path parameters, environment variables. */

const INTEGER = /^-?\d{1,15}$/
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

/**
 * `text` as the JSON Schema type that is declared for it; text that is not of that type stays text, for the check to
 * refuse. Stricter than a general conversion, which reads "10.5" as the integer 10 and "" as 0: a slip must be told.
 */
export function fromText(type: unknown, text: string): string | number | boolean {
  if (type === 'integer') return INTEGER.test(text) ? Number(text) : text
  if (type === 'number') return NUMBER.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
