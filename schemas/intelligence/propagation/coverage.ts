import { typesWhere } from '../entities/catalogue.ts'
import { contains, rangeOf } from './range.ts'

/** An entity as far as it matters what lies under what: type and main value in its normal form. */
export type TypedValue = { type: string; value: string }

const COVERING = new Set(['cidr', 'domain'])

const NAMES: ReadonlySet<string> = new Set(typesWhere(({ covered }) => covered === 'host'))
const URLS: ReadonlySet<string> = new Set(typesWhere(({ covered }) => covered === 'url'))

/** Types whose entities can lie under a covering network, and under a covering domain (ADR 105). */
export const COVERED_BY_NETWORKS: readonly string[] = typesWhere(({ covered }) => covered === 'address')
export const COVERED_BY_DOMAINS: readonly string[] = [...NAMES, ...URLS]

/** Whether a well-known mark of this type may cover what lies under it. */
export const canCover = (type: string): boolean => COVERING.has(type)

/** Whether it does when nothing is said: a network is its addresses, a domain is often shared by strangers. */
export const coversByDefault = (type: string): boolean => type === 'cidr'

/** The name of the host that an entity is or points at; null when it has none. */
export function hostOf({ type, value }: TypedValue): string | null {
  if (NAMES.has(type)) return value
  // The standard's reading decides, as it did for the normal form: a backslash ends an authority, an @ is not its end.
  return URLS.has(type) ? (URL.parse(value)?.hostname ?? null) : null
}

/**
 * Whether an entity lies under a mark, so that a covering mark holds for it: an address or network within a network; a
 * name, or a URL whose host is a name, that is the domain or ends with it after a dot. Nothing lies under itself, or
 * under a mark of another type than cidr and domain.
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
