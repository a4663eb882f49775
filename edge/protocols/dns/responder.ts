import type { Answers, Listed, Places } from '../../answers/port.ts'
import { CLASS_IN, HEADER_BYTES, RCODE, TYPE } from './codes.ts'
import { type Query, readQuery } from './query.ts'
import { bareReply, type Placed, reply } from './reply.ts'
import { standingOf } from './standing.ts'
import { textOfList, textOfListed } from './text.ts'
import { addressRecords, serverRecord, textRecord, zoneRecord } from './wire-records.ts'
import { readZone } from './zone.ts'

export type DnsOptions = {
  /** As it is typed. */
  zone: string
  answers: Answers
  places: Places
  /** Of every record and of negative answers, in seconds: 0 to 2,147,483,647. */
  ttl: number
}

export type DnsResponder = {
  /**
   * What is sent for a packet; null: nothing, because it is no query. Never throws.
   * @param over what it came by, and goes by: of UDP an answer has 1,232 bytes at most
   */
  answer(packet: Buffer, over: 'udp' | 'tcp'): Buffer | null
}

/** What is said of a name: a code, and one record at the most. */
type Said = { rcode: number; placed: Placed | null }

/**
 * Answers for a DNS block list zone (decisions 19.3): as RFC 5782 says for what is listed, and as RFC 8020 says for what
 * is not, so that resolvers that ask label by label find everything.
 * @throws Error for what is no zone, as `readZone`
 */
export function dnsResponder({ zone: typed, answers, places, ttl }: DnsOptions): DnsResponder {
  const zone = readZone(typed)
  const below = `.${zone}`
  const address = addressRecords(ttl)
  const server = serverRecord(ttl)
  const soa = zoneRecord(zone, ttl)

  const empty = (apex: number, rcode: number = RCODE.noError): Said => ({
    rcode,
    placed: { section: 'authority', owner: apex, record: soa(answers.sequence()) },
  })

  /** Of the apex; of all its types one record (RFC 8482). */
  function ofApex(type: number): Said {
    const found = (record: Buffer): Said => ({
      rcode: RCODE.noError,
      placed: { section: 'answer', owner: HEADER_BYTES, record },
    })
    if (type === TYPE.soa || type === TYPE.any) return found(soa(answers.sequence()))
    if (type === TYPE.ns) return found(server)
    if (type !== TYPE.txt) return empty(HEADER_BYTES)
    return found(textRecord(textOfList(answers.ageSeconds(), answers.size(), answers.sequence()), ttl))
  }

  function ofListed(listed: Listed, type: number, apex: number): Said {
    const isAddress = type === TYPE.a || type === TYPE.any
    if (!isAddress && type !== TYPE.txt) return empty(apex)
    const record = isAddress ? address(listed.reputation) : textRecord(textOfListed(listed), ttl)
    return { rcode: RCODE.noError, placed: { section: 'answer', owner: HEADER_BYTES, record } }
  }

  function said({ operation, name, type, class: asked, edns }: Query): Said {
    if (operation !== 0) return { rcode: RCODE.notImp, placed: null }
    if (edns !== null && edns.version !== 0) return { rcode: RCODE.badVers, placed: null }
    const isApex = name === zone
    const isOurs = asked === CLASS_IN && (isApex || name.endsWith(below))
    if (!isOurs || type === TYPE.axfr || type === TYPE.ixfr) return { rcode: RCODE.refused, placed: null }
    if (answers.isStale()) return { rcode: RCODE.servFail, placed: null }
    if (isApex) return ofApex(type)
    const relative = name.slice(0, -below.length)
    const standing = standingOf(relative, answers, places)
    const apex = HEADER_BYTES + relative.length + 1
    if (standing === 'absent') return empty(apex, RCODE.nxDomain)
    return standing === 'empty' ? empty(apex) : ofListed(standing, type, apex)
  }

  return {
    answer(packet, over) {
      const query = readQuery(packet)
      if (query === null) return null
      if (typeof query === 'number') return bareReply(packet, query)
      try {
        const { rcode, placed } = said(query)
        return reply(query, over, rcode, placed)
      } catch {
        // Whatever it was, it is not known that the name is clean.
        return reply(query, over, RCODE.servFail, null)
      }
    },
  }
}
