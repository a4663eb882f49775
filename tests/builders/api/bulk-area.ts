/** Bulk reports over the API in memory: a log that can be looked at and made to fail, and keys in a database. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { ApiPorts } from '../../../api/app.ts'
import type { ApiConfig } from '../../../api/ports.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyBulkRequests } from '../../../connectors/postgres/intelligence/bulk-request-store.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { memoryDatabase } from '../accounts/database/memory-database.ts'
import { memoryLog } from '../log/memory-log.ts'
import { asAdmin, startApi } from './api.ts'

export const BULK = '/api/ingest/v1/entities'

const decode = decoder<Observation>(records.observation, () => records.observation)

export type BulkAnswer = { status: number; headers: Headers; lines: Record<string, unknown>[]; text: string }

/** A line of a report of an address. */
export const ipLine = (n: number, given: object = {}): string =>
  JSON.stringify({ type: 'ip', attributes: { ip: `11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }, ...given })

export const ndjson = { ...asAdmin, 'content-type': 'application/x-ndjson' }

export async function bulkArea(given: Partial<ApiPorts> = {}, config: Partial<ApiConfig> = {}) {
  const database: AccountsDatabase = await memoryDatabase()
  const log = memoryLog(3)
  const requests = kyselyBulkRequests(database.db)
  const clock = { now: Date.now() }
  const ports = { log, bulkLog: log, bulkRequests: requests, now: () => clock.now, ...given }
  const api = await startApi(ports, config)
  return {
    url: api.url,
    log,
    clock,
    requests,
    /** What is in the log, in no order. */
    observations: (): Observation[] =>
      log.all(OBSERVATIONS).map(({ value }) => {
        const decoded = decode(value!)
        if (!decoded.ok) throw new Error(decoded.reason)
        return decoded.record
      }),
    async send(body: string | Buffer, headers: Record<string, string> = {}): Promise<BulkAnswer> {
      const response = await fetch(api.url + BULK, {
        method: 'POST',
        headers: { ...ndjson, ...headers },
        body: new Uint8Array(Buffer.from(body)),
      })
      const text = await response.text()
      const lines = response.status === 200 ? linesOf(text) : [JSON.parse(text)]
      return { status: response.status, headers: response.headers, lines, text }
    },
    /** A request whose body is written piece by piece. */
    open: (headers: Record<string, string> = {}) => openRequest(api.url, headers),
    async close() {
      await api.close()
      await database.close()
    },
  }
}

export type BulkArea = Awaited<ReturnType<typeof bulkArea>>

export const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** `answer`: resolves with the head. `read`: the next whole lines of the answer, at least so many or all to its end. */
export function openRequest(url: string, headers: Record<string, string>, path = BULK) {
  const request = httpRequest(url + path, { method: 'POST', headers: { ...ndjson, ...headers } })
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  answer.catch(() => undefined)
  let text = ''
  return {
    request,
    answer,
    async read(count: number): Promise<Record<string, unknown>[]> {
      const response = await answer
      while (text.split('\n').length <= count) {
        const chunk: Buffer | null = response.read()
        if (chunk !== null) text += chunk.toString()
        else if (response.readableEnded || response.destroyed) break
        else
          await new Promise<void>((resolve) => {
            const events = ['readable', 'end', 'close', 'error']
            const wake = (): void => {
              for (const event of events) response.off(event, wake)
              resolve()
            }
            for (const event of events) response.on(event, wake)
          })
      }
      return linesOf(text.slice(0, text.lastIndexOf('\n') + 1))
    },
  }
}
