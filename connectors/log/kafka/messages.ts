import type { KafkaMessage } from 'kafkajs'
import type { LogMessage } from '../port.ts'

/** A record of the client as the port shows it; of a header that stands several times the last one counts. */
export function fromKafka({ offset, timestamp, key, value, headers }: KafkaMessage): LogMessage {
  const texts: Record<string, string> = {}
  for (const [name, given] of Object.entries(headers ?? {})) {
    const last = Array.isArray(given) ? given.at(-1) : given
    if (last !== undefined) texts[name] = last.toString()
  }
  return { offset: Number(offset), timestamp: Number(timestamp), key, value, headers: texts }
}
