import type { Type } from 'avsc'
import type { LogMessage } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { decoder, schemaIdOf } from '../../schemas/codec.ts'
import type { Dead } from './dead-letter.ts'

export type Record<T> = { message: LogMessage; value: T }

/**
 * Decodes the messages of a batch. Schemas are fetched once per id, before a synchronous loop; what cannot be decoded
 * comes back as dead, in order. Rejects only when the registry cannot be asked: that is no fault of the record.
 */
export function batchDecoder<T>(reader: Type, registry: Registry) {
  const decode = decoder<T>(reader, registry.known)

  return async (messages: readonly LogMessage[]): Promise<{ records: Record<T>[]; dead: Dead[] }> => {
    const asked = new Set<number>()
    for (const { value } of messages) {
      const id = value === null ? null : schemaIdOf(value)
      if (id === null || asked.has(id)) continue
      asked.add(id)
      if (registry.known(id) === undefined) await registry.schema(id)
    }
    const records: Record<T>[] = []
    const dead: Dead[] = []
    for (const message of messages) {
      if (message.value === null) {
        dead.push({ message, reason: 'a tombstone means nothing in this topic' })
        continue
      }
      const decoded = decode(message.value)
      if (decoded.ok) records.push({ message, value: decoded.record })
      else dead.push({ message, reason: decoded.reason })
    }
    return { records, dead }
  }
}
