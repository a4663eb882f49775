import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import kafkajs, { type Kafka as Client } from 'kafkajs'

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs

export type KafkaLogOptions = {
  /** host:port of one or more brokers. */
  brokers: string[]
  /** Shown in the broker's logs; default `harrier`. */
  clientId?: string
  /** How brokers compress what they keep; default zstd. Producers may send as they like. */
  compression?: 'zstd' | 'gzip' | 'uncompressed'
  /** A member that gives no sign for this long loses its partitions, milliseconds; default 30,000. */
  sessionMs?: number
  /** Time between signs, and so how soon a member learns of a rebalance, milliseconds; default 1,000. */
  heartbeatMs?: number
  /** How long the group waits for a member to finish its batch when partitions move, milliseconds; default 60,000. */
  rebalanceMs?: number
  /** Told of every warning and error of the client. */
  warn?: (message: string, fields: Record<string, unknown>) => void
}

/** Bytes that one compressed batch of records may unfold to. */
const MAX_UNFOLDED = 256 * 1024 * 1024
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The connection settings shared by producers, consumers and the admin client. */
export function kafkaClient({ brokers, clientId = 'harrier', warn }: KafkaLogOptions): Client {
  // Without a codec the first batch that uses it ends the consumer. gzip is built in.
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) => compress(buffer),
    decompress: (buffer: Buffer) => decompress(buffer, { maxOutputLength: MAX_UNFOLDED }),
  })
  return new Kafka({
    brokers,
    clientId,
    requestTimeout: 30_000,
    enforceRequestTimeout: true,
    connectionTimeout: 5_000,
    retry: { initialRetryTime: 100, maxRetryTime: 5_000, retries: 8 },
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log: { message, timestamp: _, logger: __, ...fields } }) =>
        warn?.(`${namespace}: ${message}`, fields),
  })
}
