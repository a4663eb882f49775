import { readFileSync } from 'node:fs'
import avsc, { type Type } from 'avsc'

const load = (name: string): Type =>
  avsc.Type.forSchema(JSON.parse(readFileSync(new URL(`./avro/${name}.avsc`, import.meta.url), 'utf8')))

/** The records that cross the log, as the `.avsc` files beside this one define them. */
export const records = {
  audit: load('audit-event'),
  change: load('change'),
  feed: load('feed'),
  feedDelta: load('feed-delta'),
  lifecycle: load('lifecycle'),
  match: load('match-event'),
  observation: load('observation'),
  scanRequest: load('scan-request'),
  scoringRules: load('scoring-rules'),
  submission: load('submission'),
  telemetry: load('telemetry-event'),
} as const
