/** Lines of the logs of sensors as lines of events (decisions 14.1). */

import { compileMapping, type Mapped } from './apply.ts'
import { ECS } from './ecs.ts'
import { OCSF } from './ocsf.ts'
import { SURICATA } from './suricata.ts'
import { ZEEK, zeekTsv } from './zeek.ts'

export const EVENT_FORMATS = ['zeek', 'eve', 'ecs', 'ocsf', 'ndjson'] as const
export type EventFormat = (typeof EVENT_FORMATS)[number]

/**
 * What becomes of a line: the JSON of its events, none when nothing in it can be matched, or why it cannot be read. null for
 * a line that says nothing: a blank one, or one of a header. `left`: values that no event may have.
 */
export type MappedLine = { events: readonly string[]; left: number } | { reason: string } | null

/** Reads the lines of one log in their order. Never throws. */
export function lineMapper(format: EventFormat): (line: string) => MappedLine {
  if (format === 'ndjson') return ofEvents
  const read = compileMapping({ zeek: ZEEK, eve: SURICATA, ecs: ECS, ocsf: OCSF }[format])
  if (format !== 'zeek') return (line) => ofJson(line, read)
  const tsv = zeekTsv()
  return (line) => {
    if (/^\ufeff?\{/.test(line) || line.trim() === '') return ofJson(line, read)
    const row = tsv(line)
    return row === null || 'reason' in row ? row : posted(read(row.record))
  }
}

function ofJson(line: string, read: (record: unknown) => Mapped): MappedLine {
  const parsed = parse(line)
  return parsed === null || 'reason' in parsed ? parsed : posted(read(parsed.record))
}

/** Lines that are events go as they are: the platform says what is wrong with them. */
function ofEvents(line: string): MappedLine {
  const parsed = parse(line)
  return parsed === null || 'reason' in parsed ? parsed : { events: [line.replace(MARK, '')], left: 0 }
}

/** Files of Windows may begin with a mark of their encoding. */
const MARK = /^\ufeff/

const posted = (mapped: Mapped): MappedLine =>
  'reason' in mapped ? mapped : { events: mapped.events.map((event) => JSON.stringify(event)), left: mapped.left }

function parse(line: string): { record: object } | { reason: string } | null {
  if (line.trim() === '') return null
  try {
    const record: unknown = JSON.parse(line.replace(MARK, ''))
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) return { record }
    return { reason: 'is not an object of JSON' }
  } catch {
    return { reason: 'is not JSON' }
  }
}
