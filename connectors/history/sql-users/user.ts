/** A user who queries in SQL: which groups it may read, only through the bi_ views, within limits (ADR 279). */
export type SqlUser = {
  name: string
  /** What it may read follows from them as for any caller; `public` is read by everyone. */
  groups: string[]
  /** Bounds of one query. */
  seconds: number
  memoryBytes: number
  rows: number
}

const MiB = 1024 ** 2
export const SQL_USER_DEFAULTS = { seconds: 30, memoryBytes: 2048 * MiB, rows: 1_000_000 }
export const MAX_SQL_USERS = 1000

const NAME = /^[a-z][a-z0-9_]{0,47}$/
/** Accounts of the platform itself and of the servers. */
const TAKEN = new Set(['harrier', 'default', 'admin', 'root'])
const BOUNDS = {
  seconds: [1, 3600],
  memoryBytes: [16 * MiB, 1024 ** 2 * MiB],
  rows: [1, 100_000_000],
} as const
const UNITS: Record<string, number> = { MiB, GiB: 1024 * MiB }

/** The fault of a user record, in words; null for a valid one. */
export const sqlUserFault = ({ name, groups, ...bounds }: SqlUser): string | null => {
  if (!NAME.test(name)) return 'the name must be 1 to 48 characters a-z, 0-9 and _, starting with a letter'
  if (TAKEN.has(name)) return `the name '${name}' is reserved by the platform`
  if (groups.length === 0 || groups.length > 100) return '1 to 100 groups are required'
  const odd = groups.find((group) => group.trim() === '' || group.length > 256)
  if (odd !== undefined) return `'${odd.slice(0, 60)}' is not a valid group name; expected 1 to 256 characters`
  for (const [of, [least, most]] of Object.entries(BOUNDS)) {
    const value = bounds[of as keyof typeof BOUNDS]
    if (!Number.isSafeInteger(value) || value < least || value > most) return `${of} must be from ${least} to ${most}`
  }
  return null
}

/** Bytes of `512MiB` or `2GiB`. @throws Error that shows the form */
export const memoryOf = (text: string): number => {
  const [, amount, unit] = /^(\d{1,7})(MiB|GiB)$/.exec(text) ?? []
  if (amount === undefined)
    throw new Error(`'${text.slice(0, 20)}' is not an amount of memory; expected an amount such as 512MiB or 2GiB`)
  return Number(amount) * UNITS[unit!]!
}
