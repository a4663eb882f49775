import { type FeedItem, type FeedOptions, rejected } from '../../item.ts'
import { isComment, NOTHING, type ParseLine, withoutComment } from '../line.ts'
import { nameItems, SINKHOLES, withoutWildcard } from './names.ts'

const DIRECTIVE = /^(address|local|server)=\/(.+)\/([^/\s]*)$/

/**
 * Configuration of dnsmasq: names that have no address (`address=/name/` with nothing, `#` or a sinkhole) or no server
 * (`local=/name/`, `server=/name/`). Everything else is refused.
 */
export const dnsmasqList =
  (options: FeedOptions): ParseLine =>
  (text, line) => {
    const trimmed = text.trim()
    if (trimmed === '' || isComment(trimmed)) return NOTHING
    return directive(line, withoutComment(trimmed), options)
  }

function directive(line: number, text: string, options: FeedOptions): readonly FeedItem[] {
  const [, word, names, target] = DIRECTIVE.exec(text) ?? []
  if (names === undefined || target === undefined)
    return [rejected(line, 'not address=/name/, local=/name/ or server=/name/ of dnsmasq', text)]
  const isBlocked = target === '' || (word === 'address' && (target === '#' || SINKHOLES.has(target)))
  if (!isBlocked) return [rejected(line, `leads to ${target}: the name is not blocked`, text)]
  return nameItems(line, names.split('/').map(withoutWildcard), text, options)
}
