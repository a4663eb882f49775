import names from '../../../../../schemas/intelligence/entities/countries.json' with { type: 'json' }

/** The names are those of the platform, which searches find: browsers spell some of them in other ways (ADR 284). */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(names))
const CODES: ReadonlyMap<string, string> = new Map(Object.entries(names).map(([code, name]) => [name, code]))

/** The ISO 3166-1 code of a country as the platform spells it (`Germany`); undefined for what is none. */
export const codeOf = (name: string): string | undefined => CODES.get(name)

/** By code: `Germany` for `DE`. */
export const nameOfCode = (code: string): string => NAMES.get(code) ?? code
