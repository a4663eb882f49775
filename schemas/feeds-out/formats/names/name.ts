import { getDomain } from 'tldts'
import { fqdn } from '../../../intelligence/entities/datatypes/fqdn.ts'
import type { FeedFacts, FeedItem } from '../format.ts'

/** Types whose values are names of the DNS. */
export const NAME_TYPES: readonly string[] = ['domain', 'hostname']

/**
 * Last labels of names that mean something on one network or machine only (RFC 6761, 6762, 8375 and habit): a report
 * about such a name is about another network than the one that blocks it.
 */
const LOCAL = new Set(
  ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'].concat('arpa'),
)

/** Names that are published as suffixes under which everybody registers, those of companies (github.io) too. */
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false }

/**
 * Whether a device may block the name of an item: a name in normal form that somebody has registered, or one below it.
 * Never a public suffix (com, co.uk, github.io), below which are names of many others, and never a local name.
 */
export function isBlockable({ type, value }: FeedItem): boolean {
  if (!NAME_TYPES.includes(type) || fqdn(value) !== value) return false
  if (LOCAL.has(value.slice(value.lastIndexOf('.') + 1))) return false
  return getDomain(value, SUFFIXES) !== null
}

/**
 * For formats whose lines block by themselves, whatever the device is told to do with them: whether one may say an item.
 * Never a name that is known as good (decisions 11.6): one of a reputation above 0, nor one of 0 in a list that may
 * hold marked and covered entities, which are never below 0.
 */
export function mayBlock({ mayHoldWellKnown = true }: FeedFacts): (item: FeedItem) => boolean {
  const highest = mayHoldWellKnown ? -1 : 0
  return (item) => item.reputation <= highest && isBlockable(item)
}
