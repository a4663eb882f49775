import { type EventFormat, lineMapper, type MappedLine } from '../../../schemas/match/mappings/event-lines.ts'

/** The time of the records of tests: 2026-01-31T12:30:00.123Z. */
export const AT = Date.UTC(2026, 0, 31, 12, 30, 0, 123)

/** The events of the lines of one log, parsed, and the reasons of bad lines; objects are lines of JSON. */
export function mapped(format: EventFormat, ...lines: (string | object)[]): unknown[] {
  const map = lineMapper(format)
  return lines
    .map((line) => map(typeof line === 'string' ? line : JSON.stringify(line)))
    .filter((line): line is NonNullable<MappedLine> => line !== null)
    .flatMap((line): unknown[] => ('reason' in line ? [line.reason] : line.events.map((text) => JSON.parse(text))))
}
