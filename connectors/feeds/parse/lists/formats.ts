import type { FeedOptions } from '../item.ts'
import { filterList } from './dns/abp.ts'
import { dnsmasqList } from './dns/dnsmasq.ts'
import { hostsList } from './dns/hosts.ts'
import { eachOnce } from './dns/names.ts'
import { policyZone } from './dns/rpz.ts'
import { unboundList } from './dns/unbound.ts'
import type { ParseLine } from './line.ts'
import { plainList } from './lines.ts'
import { rangeList } from './range-lines.ts'

/** Formats of which each line is read for itself, without columns. */
export const LINE_FORMATS = ['lines', 'ranges', 'hosts', 'abp', 'dnsmasq', 'unbound', 'rpz'] as const
export type LineFormat = (typeof LINE_FORMATS)[number]

/** The reader of a format; one reads one file. */
export function lineParser(format: LineFormat, options: FeedOptions & { trailingTags: boolean }): ParseLine {
  switch (format) {
    case 'lines':
      return plainList(options)
    case 'ranges':
      return rangeList(options)
    case 'hosts':
      return eachOnce(hostsList(options))
    case 'abp':
      return eachOnce(filterList(options))
    case 'dnsmasq':
      return eachOnce(dnsmasqList(options))
    case 'unbound':
      return eachOnce(unboundList(options))
    case 'rpz':
      return eachOnce(policyZone(options))
  }
}
