import { readFileSync } from 'node:fs'
import avsc, { type Type } from 'avsc'

const load = (name: string): Type =>
  avsc.Type.forSchema(JSON.parse(readFileSync(new URL(`./avro/${name}.avsc`, import.meta.url), 'utf8')))

const FILES = {
  audit: 'audit-event',
  change: 'change',
  feed: 'feed',
  feedDelta: 'feed-delta',
  lifecycle: 'lifecycle',
  match: 'match-event',
  observation: 'observation',
  scanRequest: 'scan-request',
  scoringRules: 'scoring-rules',
  submission: 'submission',
  telemetry: 'telemetry-event',
} as const

type Records = { readonly [Name in keyof typeof FILES]: Type }

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
