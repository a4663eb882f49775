import type { Type } from 'avsc'
import type { LogMessage } from '../../connectors/log/port.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import { type Decoded, decoder, schemaIdOf } from '../../schemas/log/codec.ts'
import type { DeadRecord } from './dead-letter.ts'

export type DecodedRecord<T> = { message: LogMessage; value: T }

/** What a decoder asks of the registry. */
export type Schemas = Pick<Registry, 'schema' | 'known'>

/** Decodes records one by one, once the schemas that they were written with are known. */
export function recordDecoder<T>(reader: Type, registry: Schemas) {
  const decode = decoder<T>(reader, registry.known)
  return {
    /**
     * Fetches the schemas of these, once per id. Rejects only when the registry cannot be queried: no fault of a
     * record.
     */
    async learn(messages: readonly LogMessage[]): Promise<void> {
      const requested = new Set<number>()
      let last: number | null = null
      // By index: most batches are of one schema, and a loop over the messages makes an object for each.
      for (let i = 0; i < messages.length; i++) {
        const { value } = messages[i]!
        const id = value === null ? null : schemaIdOf(value)
        if (id === null || id === last || requested.has(id)) continue
        last = id
        requested.add(id)
        if (registry.known(id) === undefined) await registry.schema(id)
      }
    },
    /** Of a message that was learnt. */
    decode: ({ value, checked }: LogMessage): Decoded<T> =>
      value === null ? { ok: false, reason: 'a tombstone is not allowed in this topic' } : decode(value, checked),
  }
}

/** Decodes the messages of a batch; what cannot be decoded comes back as dead, in order. Rejects as `learn` does. */
export function batchDecoder<T>(reader: Type, registry: Schemas) {
  const { learn, decode } = recordDecoder<T>(reader, registry)

  return async (messages: readonly LogMessage[]): Promise<{ records: DecodedRecord<T>[]; dead: DeadRecord[] }> => {
    await learn(messages)
    const records: DecodedRecord<T>[] = []
    const dead: DeadRecord[] = []
    for (const message of messages) {
      const decoded = decode(message)
      if (decoded.ok) records.push({ message, value: decoded.record })
      else dead.push({ message, reason: decoded.reason })
    }
    return { records, dead }
  }
}
