import { typesWhere } from '../entities/catalogue.ts'
import { contains, rangeOf } from './range.ts'

/** Type and main value of an entity, in normal form: all that decides whether a mark covers it. */
export type TypedValue = { type: string; value: string }

const COVERING = new Set(['cidr', 'domain'])

const NAMES: ReadonlySet<string> = new Set(typesWhere(({ covered }) => covered === 'host'))
const URLS: ReadonlySet<string> = new Set(typesWhere(({ covered }) => covered === 'url'))

/** Types of entities that a network can cover, and that a domain can cover (ADR 270). */
export const COVERED_BY_NETWORKS: readonly string[] = typesWhere(({ covered }) => covered === 'address')
export const COVERED_BY_DOMAINS: readonly string[] = [...NAMES, ...URLS]

/** Whether a well-known mark on an entity of this type may cover other entities. */
export const canCover = (type: string): boolean => COVERING.has(type)

/** Whether it covers them by default: a network is its addresses, but unrelated parties often share a domain. */
export const coversByDefault = (type: string): boolean => type === 'cidr'

/** The name of the host that an entity is or points at; null when it has none. */
export function hostOf({ type, value }: TypedValue): string | null {
  if (NAMES.has(type)) return value
  // The standard's reading decides, as it did for the normal form: a backslash ends an authority, an @ is not its end.
  return URLS.has(type) ? (URL.parse(value)?.hostname ?? null) : null
}

/**
 * Whether a mark on `mark` covers the entity. A cidr covers addresses and networks within it. A domain covers
 * names, and URLs with a host, that equal it or end with it after a dot. No entity covers itself, and marks of other types
 * cover nothing.
 */
export function isCoveredBy(entity: TypedValue, mark: TypedValue): boolean {
  if (!COVERING.has(mark.type) || (entity.type === mark.type && entity.value === mark.value)) return false
  if (mark.type === 'domain') {
    const host = hostOf(entity)
    return host !== null && (host === mark.value || host.endsWith(`.${mark.value}`))
  }
  const inner = rangeOf(entity.type, entity.value)
  return inner !== null && contains(rangeOf(mark.type, mark.value)!, inner)
}
