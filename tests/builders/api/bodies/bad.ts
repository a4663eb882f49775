/** Bodies that no client should send, and the status of their refusal. */

const MiB = 1024 * 1024

const entity = (rest: string): string => `{"type":"ip","attributes":{"ip":"192.0.2.1"}${rest}}`
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const many = (n: number, each: (i: number) => string): string => Array.from({ length: n }, (_, i) => each(i)).join()
const association = (i: number): string => `{"mode":"association","type":"domain","attributes":{"domain":"d${i}.test"}}`

/** Bodies that are refused whatever the route, and with what. */
export const bodies: { name: string; body: string | Buffer; status: number }[] = [
  { name: 'nothing', body: '', status: 400 },
  { name: 'blanks', body: ' \n', status: 400 },
  { name: 'a text cut short', body: '{"type":"ip","attributes":{"ip":"192.0', status: 400 },
  { name: 'no object', body: '[]', status: 400 },
  { name: 'null', body: 'null', status: 400 },
  { name: 'a number', body: '1e400', status: 400 },
  { name: '2 MB', body: `{"type":"${'x'.repeat(2 * MiB)}"}`, status: 413 },
  { name: '20 MB', body: Buffer.alloc(20 * MiB, '['), status: 413 },
  { name: '100,000 arrays in each other', body: nested(100_000), status: 400 },
  { name: '100,000 objects in each other', body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, status: 400 },
  { name: '60,000 keys', body: `{${many(60_000, (i) => `"k${i}":1`)}}`, status: 400 },
  { name: 'bytes that are no UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), status: 400 },
  { name: 'a surrogate encoded by itself', body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), status: 400 },
  { name: 'a raw NUL', body: '{"type":"i\0p"}', status: 400 },
  { name: 'text behind the object', body: `${entity('')}{}`, status: 400 },
  { name: '__proto__', body: '{"__proto__":{"roles":["auth_admin"]}}', status: 400 },
  { name: 'constructor', body: '{"constructor":{"prototype":{"polluted":1}}}', status: 400 },
  { name: 'a key with line ends', body: '{"a\\r\\nset-cookie: b":1}', status: 400 },
  { name: 'a key that no header can hold', body: '{"\u{1f4a5}\u2028":1}', status: 400 },
  { name: 'NaN', body: '{"type":NaN}', status: 400 },
]

/** Submissions that are refused for what they hold. */
export const submissions: { name: string; body: string; status?: number }[] = [
  { name: '__proto__ beside the fields', body: entity(',"__proto__":{"reputation":3}') },
  { name: '__proto__ as an attribute', body: '{"type":"ip","attributes":{"ip":"192.0.2.1","__proto__":"x"}}' },
  { name: 'constructor as an attribute', body: '{"type":"ip","attributes":{"ip":"192.0.2.1","constructor":"x"}}' },
  { name: 'toString as a type', body: '{"type":"toString","attributes":{"toString":"x"}}' },
  { name: 'half a surrogate pair', body: '{"type":"malware","attributes":{"malware":"a\\ud800b"}}' },
  { name: 'half a pair in a key', body: '{"type":"malware","attributes":{"malware":"a","\\udc00":"b"}}' },
  { name: 'half a pair in a tag', body: entity(',"tags":["\\ud83d"]') },
  { name: 'NUL in an address', body: '{"type":"ip","attributes":{"ip":"192.0.2.1\\u0000"}}' },
  { name: 'nothing but NUL', body: '{"type":"malware","attributes":{"malware":"\\u0000"}}' },
  { name: '1e400 as a reputation', body: entity(',"reputation":1e400') },
  { name: '1e400 as an attribute', body: '{"type":"ip","attributes":{"ip":"192.0.2.1","asn":1e400}}' },
  { name: 'half a reputation', body: entity(',"reputation":-2.5') },
  { name: 'a reputation of 2^64', body: entity(',"reputation":18446744073709551616') },
  { name: 'a text of 65,537 bytes', body: `{"type":"malware","attributes":{"malware":"${'a'.repeat(65_537)}"}}` },
  { name: 'an unknown field', body: entity(',"accuracy":3') },
  { name: 'a foreign group', body: entity(',"visibleBy":["others"]'), status: 403 },
  { name: 'no groups', body: entity(',"visibleBy":[]') },
  { name: '1,001 associations', body: entity(`,"associations":[${many(1001, association)}]`) },
  { name: '11 levels of associations', body: entity(`,"associations":[${levels(11)}]`) },
  { name: '40 levels of associations', body: entity(`,"associations":[${levels(40)}]`) },
]

function levels(n: number): string {
  const inner = n === 1 ? '' : levels(n - 1)
  return `{"mode":"association","type":"domain","attributes":{"domain":"l${n}.test"},"associations":[${inner}]}`
}
