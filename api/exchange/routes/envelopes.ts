/** Objects of collections as TAXII 2.1 writes them (3.7, 5.4 to 5.8). */

import { momentText } from '../../../schemas/feeds-out/collections/moment.ts'
import { OwnBytes } from '../../http/answers/raw-body.ts'
import type { CollectionPage } from '../services/collections.ts'

const STIX_MEDIA = 'application/stix+json;version=2.1'

/** Dates added of the first and the last object; none for an empty page. */
export function addedHeaders({ objects }: Pick<CollectionPage, 'objects'>): Record<string, string> {
  const [first, last] = [objects[0], objects.at(-1)]
  if (first === undefined || last === undefined) return {}
  return {
    'x-taxii-date-added-first': momentText(first.added),
    'x-taxii-date-added-last': momentText(last.added),
  }
}

/** Members that go on, with a comma behind them. */
const going = ({ next }: CollectionPage): string => (next === null ? '' : `"more":true,"next":${JSON.stringify(next)},`)

const closed = (members: string): string => `{${members.endsWith(',') ? members.slice(0, -1) : members}}`

const COMMA = Buffer.from(',')

/** An envelope: the objects are JSON, and their bytes are put together as they are. */
export function envelope(page: CollectionPage): OwnBytes {
  if (page.objects.length === 0) return new OwnBytes(Buffer.from(closed(going(page))))
  const parts: Buffer[] = [Buffer.from(`{${going(page)}"objects":[`)]
  for (const { said } of page.objects) parts.push(said, COMMA)
  parts[parts.length - 1] = Buffer.from(']}')
  return new OwnBytes(Buffer.concat(parts))
}

export function manifestText(page: CollectionPage): string {
  const records = page.objects.map(
    ({ said, added, version }) =>
      `{"id":"${said}","date_added":"${momentText(added)}","version":"${versionText(version)}","media_type":"${STIX_MEDIA}"}`,
  )
  return closed(`${going(page)}${records.length === 0 ? '' : `"objects":[${records.join(',')}]`}`)
}

export function versionsText(page: CollectionPage): string {
  const versions = page.objects.map(({ version }) => `"${versionText(version)}"`)
  return closed(`${going(page)}${versions.length === 0 ? '' : `"versions":[${versions.join(',')}]`}`)
}

const MICROS_A_MS = 1_000

/** As the object says it: with three digits, unless it has no version but the date when it was added. */
const versionText = (version: number): string =>
  version % MICROS_A_MS === 0 ? momentText(version).replace(/000Z$/, 'Z') : momentText(version)
