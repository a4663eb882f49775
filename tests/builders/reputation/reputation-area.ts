/** Reputations over the API in memory: real HTTP over rows of a test. */

import type { ApiPorts } from '../../../api/app.ts'
import type { ApiConfig } from '../../../api/ports.ts'
import type { Lookups } from '../../../connectors/lookups/port.ts'
import type { PresentRow } from '../../../schemas/intelligence/state/present.ts'
import { startApi } from '../api/api.ts'
import { linesOf } from '../api/bulk-area.ts'
import { memoryLookups } from './memory-lookups.ts'

export const REPUTATION = '/api/search/v1/reputation'
export const NDJSON = { 'content-type': 'application/x-ndjson' }

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, of which some fields are looked at
type Json = any

export type LinesAnswer = { status: number; headers: Headers; lines: Json[]; text: string }

/** Sends lines to an API and reads all of the answer. */
export async function sendLines(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<LinesAnswer> {
  const sent = { method: 'POST', headers: { ...NDJSON, ...headers }, body: new Uint8Array(Buffer.from(body)) }
  const response = await fetch(url + REPUTATION, sent)
  const text = await response.text()
  const lines = response.status === 200 ? linesOf(text) : [JSON.parse(text)]
  return { status: response.status, headers: response.headers, lines, text }
}

/**
 * @property lookups what the next answers come from: a test may put others in its place
 */
export async function reputationArea(
  rows: readonly PresentRow[],
  given: Partial<ApiPorts> = {},
  config: Partial<ApiConfig> = {},
) {
  const area = { lookups: memoryLookups(rows) as Lookups }
  const api = await startApi({ lookups: { next: async () => area.lookups, store: area.lookups }, ...given }, config)
  return Object.assign(area, {
    url: api.url,
    send: (body: string | Buffer, headers: Record<string, string> = {}) => sendLines(api.url, body, headers),
    close: () => api.close(),
  })
}

export type ReputationArea = Awaited<ReturnType<typeof reputationArea>>
