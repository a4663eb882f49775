import { decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { TOPIC_RECORDS } from '../../../schemas/log/topic-records.ts'
import type { Registry } from '../../registry/port.ts'
import type { Payload } from './port.ts'

/** Of bytes that cannot be read this much is shown. */
const SHOWN_BYTES = 4096

/** What a record of `topic` says, or why it cannot be read and how it begins. Never rejects. */
export async function payloadOf(registry: Registry, topic: string, value: Buffer | null): Promise<Payload> {
  if (value === null) return asBytes(Buffer.alloc(0), 'a tombstone has no bytes')
  const reader = TOPIC_RECORDS[topic]
  if (reader === undefined) return asBytes(value, 'the records of its topic have no known format')
  const id = schemaIdOf(value)
  try {
    if (id !== null) await registry.schema(id)
  } catch (error) {
    return asBytes(value, (error as Error).message)
  }
  const decoded = decoder<unknown>(reader, registry.known)(value)
  if (!decoded.ok) return asBytes(value, decoded.reason)
  // Out of its class, and without what JSON has no word for.
  return { kind: 'record', record: JSON.parse(JSON.stringify(decoded.record)) }
}

function asBytes(value: Buffer, fault: string): Payload {
  const shown = value.subarray(0, SHOWN_BYTES)
  return { kind: 'bytes', fault, hex: shown.toString('hex'), text: printable(shown) }
}

/** Control characters do things to terminals. */
const printable = (bytes: Buffer): string => bytes.toString('utf8').replace(/[^\P{C}\n\t]/gu, '\ufffd')
