/** A pattern that one comparison makes: `[ipv4-addr:value = '203.0.113.9']`. `path`: an object path of STIX. */
export const comparison = (path: string, value: string | number, operator = '='): string =>
  `[${path} ${operator} ${literal(value)}]`

/** A constant of the pattern language: the backslash and the quote are its only special characters. */
export const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`
