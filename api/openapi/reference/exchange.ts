import type { JsonObject } from '../json.ts'
import { UUID } from '../words.ts'
import type { References } from './reference.ts'

const root = '/taxii2/harrier/'
const collection = `${root}collections/{id}/`

const words: JsonObject = {
  added_after: '2026-03-01T12:00:00.000000Z',
  next: 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg',
  objectId: `indicator--${UUID}`,
  'match[id]': `indicator--${UUID}`,
  'match[type]': 'indicator,ipv4-addr',
  'match[version]': 'all',
  'match[spec_version]': '2.1',
}

const common = ['not_acceptable'] as const
const reads = [...common, 'forbidden', 'not_found'] as const
const pages = [...reads, 'bad_cursor'] as const

const envelope = {
  objects: [
    {
      type: 'indicator',
      spec_version: '2.1',
      id: `indicator--${UUID}`,
      created: '2026-03-01T12:00:00.000Z',
      modified: '2026-03-01T12:00:00.000Z',
      pattern: "[ipv4-addr:value = '203.0.113.7']",
      pattern_type: 'stix',
      valid_from: '2026-03-01T12:00:00.000Z',
    },
  ],
}

/** Operations of the TAXII server. */
export const exchangeReference: References = {
  'get /taxii2/': { id: 'discoverTaxii', codes: common },
  [`get ${root}`]: { id: 'getTaxiiRoot', codes: common },
  [`get ${root}collections/`]: { id: 'listTaxiiCollections', codes: reads },
  [`get ${collection}`]: { id: 'getTaxiiCollection', codes: reads },
  [`get ${collection}objects/`]: { id: 'listTaxiiObjects', codes: pages, words },
  [`get ${collection}manifest/`]: { id: 'listTaxiiManifest', codes: pages, words },
  [`get ${collection}objects/{objectId}/`]: { id: 'getTaxiiObject', codes: pages, words },
  [`delete ${collection}objects/{objectId}/`]: { id: 'deleteTaxiiObject', codes: reads, words },
  [`get ${collection}objects/{objectId}/versions/`]: { id: 'listTaxiiVersions', codes: pages, words },
  [`post ${collection}objects/`]: {
    id: 'postTaxiiObjects',
    codes: [...reads, 'busy', 'publish_failed'],
    body: envelope,
  },
  [`get ${root}status/{id}/`]: { id: 'getTaxiiStatus', codes: reads },
}
