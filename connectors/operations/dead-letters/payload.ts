import { decoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { typeOf } from '../../../schemas/log/records.ts'
import type { Registry } from '../../registry/port.ts'
import type { Payload } from './port.ts'

/** Of a payload that cannot be decoded, this many bytes are shown. */
const SHOWN_BYTES = 4096

/**
 * The content of a record of `topic`, or the reason why it cannot be decoded together with its first bytes. Never
 * rejects.
 */
export async function payloadOf(registry: Registry, topic: string, value: Buffer | null): Promise<Payload> {
  if (value === null) return asBytes(Buffer.alloc(0), 'a tombstone has no bytes')
  const reader = typeOf(topic)
  if (reader === undefined) return asBytes(value, 'the records of its topic have no known format')
  const id = schemaIdOf(value)
  try {
    if (id !== null) await registry.schema(id)
  } catch (error) {
    return asBytes(value, (error as Error).message)
  }
  const decoded = decoder<unknown>(reader, registry.known)(value)
  if (!decoded.ok) return asBytes(value, decoded.reason)
  // Converts the class instance to plain JSON and drops values that JSON cannot express.
  return { kind: 'record', record: JSON.parse(JSON.stringify(decoded.record)) }
}

function asBytes(value: Buffer, fault: string): Payload {
  const shown = value.subarray(0, SHOWN_BYTES)
  return { kind: 'bytes', fault, hex: shown.toString('hex'), text: printable(shown) }
}

/** Removes control characters, which would act on a terminal. */
const printable = (bytes: Buffer): string => bytes.toString('utf8').replace(/[^\P{C}\n\t]/gu, '\ufffd')
