import { readFileSync } from 'node:fs'
import avsc, { type Schema, type Type } from 'avsc'
import { textTypes } from './text-type.ts'
import { RECORD_OF, type RecordName } from './topics.ts'

const load = (name: string): Type =>
  avsc.Type.forSchema(JSON.parse(readFileSync(new URL(`./avro/${name}.avsc`, import.meta.url), 'utf8')), {
    typeHook: textTypes as (schema: Schema) => Type,
  })

const FILES: Readonly<Record<RecordName, string>> = {
  audit: 'audit-event',
  change: 'change',
  feed: 'feed',
  feedDelta: 'feed-delta',
  lifecycle: 'lifecycle',
  match: 'match-event',
  observation: 'observation',
  scanRequest: 'scan-request',
  scoringRules: 'scoring-rules',
  storedRows: 'stored-rows',
  submission: 'submission',
  telemetry: 'telemetry-event',
}

type Records = { readonly [Name in RecordName]: Type }

/** Each is made when it is first asked for: a command that decodes nothing makes none. */
function whenAsked(): Records {
  const made: Record<string, Type> = {}
  const properties = Object.entries(FILES).map(([name, file]) => [
    name,
    { enumerable: true, get: () => (made[name] ??= load(file)) },
  ])
  return Object.defineProperties({}, Object.fromEntries(properties)) as Records
}

/** The records that cross the log, as the `.avsc` files beside this one define them. */
export const records: Records = whenAsked()

/** What the records of a topic are read as; undefined for topics of our own text. */
export function typeOf(topic: string): Type | undefined {
  const name = RECORD_OF[topic]
  return name === undefined ? undefined : records[name]
}

/** Of every topic whose values have a schema: its record, its subject in the registry, and what its records are read as. */
export const subjects = (): { record: RecordName; subject: string; type: Type }[] =>
  Object.entries(RECORD_OF).map(([topic, record]) => ({ record, subject: `${topic}-value`, type: records[record] }))
