import { type FieldName, MAX_EVENT_VALUES } from '../event.ts'

/** Values by field as an event of JSON has them. */
export type EventFields = Partial<Record<FieldName, string | readonly string[]>>

/**
 * The values of a record as the fields of one event or more: an event has one value of a field, and 32 in all. The first
 * has the first of every field; the others have only what is left, so that no value is counted twice.
 */
export function fieldsOf(values: ReadonlyMap<FieldName, readonly string[]>): EventFields[] {
  const parts: EventFields[] = []
  const answers = values.get('answers') ?? []
  let told = 0
  for (let at = 0; ; at++) {
    const fields: EventFields = {}
    let count = 0
    for (const [name, list] of values) {
      const value = list[at]
      if (name === 'answers' || value === undefined) continue
      fields[name] = value
      count++
    }
    if (told < answers.length) {
      fields.answers = answers.slice(told, told + MAX_EVENT_VALUES - count)
      told += fields.answers.length
      count++
    }
    if (count === 0) return parts
    parts.push(fields)
  }
}
