import { client } from '../../../api/client.ts'
import { pause } from '../../../parts/time/pause.ts'
import { type Ended, LOST, readVerdicts, type Verdict } from './verdicts.ts'

/**
 * Sends reports in one request under an idempotency key and hands over each verdict as it comes. Rejects with a Problem
 * where the request is refused, and as fetch does.
 */
export type SendLines = (
  bodies: readonly Record<string, unknown>[],
  key: string,
  tell: (verdict: Verdict) => void,
  signal: AbortSignal,
) => Promise<Ended>

const sendLines: SendLines = async (bodies, key, tell, signal) => {
  const { response } = await client.POST('/api/ingest/v1/entities', {
    body: bodies.map((body) => `${JSON.stringify(body)}\n`).join(''),
    bodySerializer: (text) => text,
    headers: { 'content-type': 'application/x-ndjson' },
    params: { header: { 'idempotency-key': key } },
    parseAs: 'stream',
    signal,
  })
  return response.body === null ? { kind: 'broken', reason: LOST } : readVerdicts(response.body, tell)
}

/** The ports of a sender: requests, keys, pauses and the clock. */
export const senderPorts = {
  send: sendLines,
  // randomUUID is only there on https and on this machine.
  newKey: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
  sleep: pause,
  now: Date.now,
}
