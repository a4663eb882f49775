import type { History } from '../../../../connectors/history/port.ts'
import type { OpenSearch } from './client.ts'

const KEYWORD = { type: 'keyword' } as const
/** Whole values of any field, as the simple search finds them, and the words of texts. */
const ANYWHERE = { type: 'keyword', copy_to: 'anywhere' } as const
const TEXT = { type: 'text', copy_to: ['anywhere', 'words'], fields: { whole: KEYWORD } } as const

const COMMON = {
  id: KEYWORD,
  type: KEYWORD,
  value: ANYWHERE,
  tags: KEYWORD,
  audience: KEYWORD,
  reputation: { type: 'byte' },
  accuracy: { type: 'byte' },
  anywhere: { type: 'keyword', normalizer: 'lowercase' },
  words: { type: 'text' },
} as const

const INDICES = {
  history: {
    ...COMMON,
    ts: { type: 'date' },
    entity_id: KEYWORD,
    user_id: KEYWORD,
    attributes: {
      dynamic: true,
      properties: { text: TEXT, aso: TEXT, malware: TEXT },
    },
  },
  entities: {
    ...COMMON,
    country: KEYWORD,
    asn: { type: 'integer' },
    aso: KEYWORD,
    first_seen: { type: 'date' },
    last_seen: { type: 'date' },
    attributes: { dynamic: true, properties: {} },
  },
} as const

/** Attributes that are no text are keywords. */
const dynamic = [{ attributes: { path_match: 'attributes.*', mapping: ANYWHERE } }]

/** One shard, as one machine has them; what is remembered of answers is off, as it is for Harrier. */
const settings = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: '-1',
  'queries.cache.enabled': false,
  'requests.cache.enable': false,
  max_result_window: 1_000_000,
  max_terms_count: 65_536,
}

const ROWS = {
  history: `SELECT toString(id) AS id, entity_id, type, value, user_id, mapConcat(attributes, map(type, value)) AS attributes,
    tags, toString(audience) AS audience, reputation, accuracy, toUnixTimestamp64Milli(ts) AS ts
    FROM history WHERE log_offset >= {from:UInt64} AND log_offset < {to:UInt64}`,
  entities: `SELECT entity_id AS id, type, value, attributes, tags, toString(audience) AS audience, reputation, accuracy,
    country, asn, aso, toUnixTimestamp64Milli(first_seen) AS first_seen, toUnixTimestamp64Milli(last_seen) AS last_seen
    FROM entities WHERE version > {from:UInt64} AND version <= {to:UInt64}`,
} as const

const BLOCK = 20_000

type Row = { id: string } & Record<string, unknown>

/** Indices of what the store holds, `counts` of each; those that are complete already are kept. Merged to one segment each. */
export async function load(
  os: OpenSearch,
  store: History,
  counts: Record<keyof typeof INDICES, number>,
): Promise<void> {
  for (const index of ['history', 'entities'] as const) {
    if ((await countOf(os, index)) === counts[index]) continue
    await os.ask('DELETE', `/${index}?ignore_unavailable=true`)
    const analysis = { normalizer: { lowercase: { type: 'custom', filter: ['lowercase'] } } }
    await os.ask('PUT', `/${index}`, {
      settings: { index: settings, analysis },
      mappings: { dynamic: 'strict', dynamic_templates: dynamic, properties: INDICES[index] },
    })
    for (let from = 0; from < counts[index]; from += BLOCK) {
      const rows = await store.query<Row>({ sql: ROWS[index], params: { from, to: from + BLOCK } })
      const lines = rows.map((row) => `{"index":{"_id":${JSON.stringify(row.id)}}}\n${JSON.stringify(row)}\n`)
      const { errors } = await os.ask<{ errors: boolean }>('POST', `/${index}/_bulk`, lines.join(''))
      if (errors) throw new Error(`OpenSearch refused rows of ${index} from ${from} on`)
      process.stderr.write(`\rOpenSearch, ${index}: ${from + rows.length}`)
    }
    process.stderr.write('\n')
    await os.ask('POST', `/${index}/_forcemerge?max_num_segments=1`)
    await os.ask('POST', `/${index}/_refresh`)
    const loaded = await countOf(os, index)
    if (loaded !== counts[index]) throw new Error(`OpenSearch has ${loaded} of ${counts[index]} rows of ${index}`)
  }
}

async function countOf(os: OpenSearch, index: string): Promise<number> {
  return (await os.ask<{ count: number }>('GET', `/${index}/_count?ignore_unavailable=true`)).count
}
