import { pointOf } from '../../../../../schemas/intelligence/compare/points.ts'
import { type FeedItem, type FeedOptions, rejected } from '../../item.ts'
import { isComment, NOTHING, type ParseLine } from '../line.ts'
import { isLocalName, nameItems, SINKHOLES } from './dns-names.ts'

/** A file in the form of `/etc/hosts`: the names that lead to no address; names of the machine itself are none. */
export const hostsList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    return trimmed === '' || isComment(trimmed) ? NOTHING : hostsLine(line, trimmed, options, false)
  }

const isAddress = (text: string): boolean => SINKHOLES.has(text) || pointOf(text.split('%', 1)[0]!) !== null

/** Here a comment begins with `#` wherever it is: no name has one. */
const wordsOf = (text: string): string[] => text.split('#', 1)[0]!.trimEnd().split(/\s+/)

/** Whether a line sends names to no address, or names this machine. */
export function isHostsLine(text: string): boolean {
  const [first = '', ...names] = wordsOf(text)
  return names.length > 0 && (SINKHOLES.has(first) || (isAddress(first) && names.every(isLocalName)))
}

/**
 * The names of one line, each of them.
 * @param trailingTags only the first is a name, and the others are tags
 */
export function hostsLine(
  line: number,
  text: string,
  options: FeedOptions,
  trailingTags: boolean,
): readonly FeedItem[] {
  const [address = '', ...words] = wordsOf(text)
  if (!isAddress(address)) return [rejected(line, `"${address.slice(0, 80)}" is not an address of a hosts file`, text)]
  const named = trailingTags ? words.slice(0, 1) : words
  if (named.length === 0) return [rejected(line, 'no name after the address', text)]
  if (named.every(isLocalName)) return NOTHING
  if (!SINKHOLES.has(address))
    return [rejected(line, `${address} is an address of its own: the name is not blocked`, text)]
  const names = named.filter((name) => !isLocalName(name))
  const tags = trailingTags ? words.slice(1).flatMap((word) => word.split(',').filter((tag) => tag !== '')) : []
  return nameItems(line, names, text, options, tags)
}
