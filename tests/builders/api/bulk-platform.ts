/** Bulk reports to a platform: what it answers, and what it has of them. */

import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { logOf } from '../platform/data-folder.ts'
import { eventually, type Platform } from '../platform/platform.ts'
import { BULK, linesOf, openRequest } from './bulk-area.ts'

export type Told = { line?: number; id?: string; error?: { code: string; param?: string }; accepted?: number }

/** `lines`: those of an answer that is one. */
export type BulkTold = { status: number; headers: Headers; text: string; lines: Told[] }

/** Sends a whole body, with its length. */
export async function sendBulk(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  more: Record<string, string> = {},
): Promise<BulkTold> {
  const response = await fetch(url + BULK, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...headers, ...more },
    body: new Uint8Array(Buffer.from(body)),
  })
  const text = await response.text()
  const lines = response.status === 200 ? (linesOf(text) as Told[]) : []
  return { status: response.status, headers: response.headers, text, lines }
}

/**
 * A body under a key that is cut inside of a line, sent `beside` the cut attempt, then whole, to each of the processes again,
 * and changed. `before`: what the cut attempt was told.
 */
export async function cutAndRepeated(
  [first, second]: readonly [string, string],
  headers: Record<string, string>,
  { key, lines, cutAt }: { key: string; lines: readonly string[]; cutAt: number },
) {
  const as = { ...headers, 'idempotency-key': key }
  const body = lines.join('')
  const cut = openRequest(first, as)
  cut.request.on('error', () => undefined)
  cut.request.write(lines.slice(0, cutAt).join('') + lines[cutAt]!.slice(0, 9))
  const before = (await cut.read(cutAt)) as Told[]
  const beside = await sendBulk(second, body, as)
  cut.request.destroy()
  const whole = await eventually(
    () => sendBulk(second, body, as),
    ({ status }) => status !== 409,
  )
  const again: BulkTold[] = []
  for (const url of [first, second, first]) again.push(await sendBulk(url, body, as))
  const other = await sendBulk(first, lines.slice(1).join(''), as)
  return { before, beside, whole, again, other }
}

export const codeOf = ({ status, text }: BulkTold): string => `${status} ${JSON.parse(text).error.code}`

export type Counted = { history: number; entities: number; log: number }

/** Reports of a tag, as a reader is shown them once there are as many as `wanted`: in the history, of entities, and in the log. */
export async function countReports(
  platform: Pick<Platform, 'ask' | 'dataDir'>,
  reader: Record<string, string>,
  tag: string,
  wanted: number,
): Promise<Counted> {
  const search = (path: string) =>
    platform.ask(`/api/search/v1/${path}?limit=0`, { query: { filter: [{ term: { tags: tag } }] } }, reader)
  const found = (path: string) =>
    eventually(
      () => search(path),
      ({ body }) => body.items >= wanted,
    )
  const entities = await found('entities/advanced')
  const history = await found('entities/history/advanced')
  return { history: history.body.items, entities: entities.body.items, log: await reportsInLog(platform.dataDir, tag) }
}

const decode = decoder<Observation>(records.observation, () => records.observation)

/** Observations with a tag, each as often as it is there. */
export async function reportsInLog(dataDir: string, tag: string): Promise<number> {
  const log = await logOf(dataDir)
  let found = 0
  try {
    for (const { partition, low, high } of await log.offsets(OBSERVATIONS))
      for await (const messages of log.scan(OBSERVATIONS, partition, low, high))
        for (const { value } of messages) {
          const decoded = decode(value!)
          if (decoded.ok && decoded.record.tags.includes(tag)) found++
        }
  } finally {
    await log.close()
  }
  return found
}
