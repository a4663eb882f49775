import type { KafkaMessage } from 'kafkajs'
import type { LogMessage } from '../port.ts'

/** The farthest times that a date can hold, either way; a record may claim any 64-bit number. */
const FARTHEST = 8_640_000_000_000_000
/** Before a header value that is no text: its bytes follow in base64. */
const BINARY = 'base64:'

/**
 * A record of the client as the port shows it, whatever its producer wrote. Key and value stay as they are. Header
 * values are texts: null is an empty one, bytes that are no UTF-8 are given as `base64:` and their code, and of a header
 * that stands several times the last one counts. A time beyond what a date can hold is the farthest that it can.
 */
export function fromKafka({ offset, timestamp, key, value, headers }: KafkaMessage): LogMessage {
  return { offset: Number(offset), timestamp: timeOf(timestamp), key, value, headers: headersOf(headers) }
}

function timeOf(timestamp: string): number {
  const time = Number(timestamp)
  return Number.isNaN(time) ? -1 : Math.max(-FARTHEST, Math.min(FARTHEST, time))
}

function headersOf(headers: KafkaMessage['headers']): Record<string, string> {
  const names = Object.keys(headers ?? {})
  // As own fields whatever they are called, `__proto__` too.
  return Object.fromEntries(names.map((name) => [name, headerText(headers![name])]))
}

function headerText(given: unknown): string {
  const last: unknown = Array.isArray(given) ? given.at(-1) : given
  if (!Buffer.isBuffer(last)) return typeof last === 'string' ? last : ''
  const text = last.toString()
  const isText = !text.startsWith(BINARY) && Buffer.from(text).equals(last)
  return isText ? text : BINARY + last.toString('base64')
}

/** The bytes of a header value as `fromKafka` returns it, so that a message is written back exactly as it was read. */
export const headerBytes = (text: string): Buffer =>
  text.startsWith(BINARY) ? Buffer.from(text.slice(BINARY.length), 'base64') : Buffer.from(text)
