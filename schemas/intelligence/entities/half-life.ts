/** How fast claims about an entity lose weight, by its type (decisions 4). */

const DAYS: Readonly<Record<number, readonly string[]>> = {
  7: ['ip', 'url'],
  14: ['domain', 'hostname', 'email', 'email-address'],
  30: ['cidr'],
  180: [
    'file',
    'payload',
    'md5',
    'sha1',
    'sha224',
    'sha256',
    'sha384',
    'sha512',
    'sha3-224',
    'sha3-256',
    'sha3-384',
    'sha3-512',
    'sha512-224',
    'sha512-256',
    'authentihash',
    'cdhash',
  ],
}

/** The place of types that are not listed. */
export const OTHERS = '*'

/** Days by type, as the platform comes with them. */
export const HALF_LIVES: Readonly<Record<string, number>> = Object.freeze({
  ...Object.fromEntries(Object.entries(DAYS).flatMap(([days, types]) => types.map((type) => [type, Number(days)]))),
  [OTHERS]: 30,
})

/** Half-life of a claim about an entity of this type, in days. */
export const halfLifeDays = (
  type: string,
  { halfLives }: { halfLives: Readonly<Record<string, number>> } = { halfLives: HALF_LIVES },
): number => (Object.hasOwn(halfLives, type) ? halfLives[type] : halfLives[OTHERS])!
