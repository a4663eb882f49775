import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { REPLAY_KEYS } from '../../../schemas/log/topics.ts'
import { REPLAYED_SEAL, replayClaims, withoutReplay } from '../../../schemas/operation/dead-letter.ts'
import { compactedTable } from '../../log/compacted.ts'
import type { EventLog, LogMessage } from '../../log/port.ts'
import type { ReplaySeals, SealedRecord } from './port.ts'

const KEY_BYTES = 32

/**
 * Seals are made with keys that are stored on the log: consumers can read that topic, producers of other topics
 * cannot.
 */
export function replaySeals(log: Pick<EventLog, 'offsets' | 'read' | 'send'>): ReplaySeals {
  const keys = new Map<string, Buffer>()
  const refresh = compactedTable(log, REPLAY_KEYS, ({ key, value }) => {
    if (key !== null && value?.length === KEY_BYTES) keys.set(key.toString(), Buffer.from(value))
  })

  async function anyKey(): Promise<[string, Buffer]> {
    await refresh()
    if (keys.size === 0) {
      await log.send([{ topic: REPLAY_KEYS, messages: [{ key: randomUUID(), value: randomBytes(KEY_BYTES) }] }])
      await refresh()
    }
    return keys.entries().next().value!
  }

  function holds(topic: string, message: LogMessage): boolean {
    const [id = '', code = ''] = (message.headers[REPLAYED_SEAL] ?? '').split(':')
    const key = keys.get(id)
    if (key === undefined) return false
    const [given, wanted] = [Buffer.from(code, 'hex'), codeOf(key, topic, message)]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  return {
    async seal(topic, record) {
      const [id, key] = await anyKey()
      return { ...record.headers, [REPLAYED_SEAL]: `${id}:${codeOf(key, topic, record).toString('hex')}` }
    },
    async check(topic, messages) {
      const unknown = ({ headers }: LogMessage): boolean =>
        headers[REPLAYED_SEAL] !== undefined && !keys.has(headers[REPLAYED_SEAL].split(':')[0]!)
      if (messages.some(unknown)) await refresh()
      return messages.map((message) => {
        if (replayClaims(message.headers).length === 0 || holds(topic, message)) return message
        return { ...message, headers: withoutReplay(message.headers) }
      })
    },
  }
}

function codeOf(key: Buffer, topic: string, { key: name, value, headers }: SealedRecord): Buffer {
  const digest = (bytes: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex')
  const content = JSON.stringify([topic, digest(name), digest(value), ...replayClaims(headers)])
  return createHmac('sha256', key).update(content).digest()
}
