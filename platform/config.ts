/** The whole environment, read once at start (decisions 9.2). Pure: the environment is an argument. */

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { OIDC_SETTINGS, oidcFaults, oidcOf } from './oidc-settings.ts'
import { fromText } from './text-value.ts'

const flag = () => Type.Boolean({ default: false })
const secret = () => Type.Optional(Type.String({ minLength: 16, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }))
const url = (schemes: string) => Type.Optional(Type.String({ pattern: `^(?:${schemes})://[^\\s/]` }))

const PORTS = '^\\d{1,5}(?:\\s*,\\s*\\d{1,5}){0,99}$'
const BROKERS = '^[^\\s,:]+:\\d{1,5}(?:\\s*,\\s*[^\\s,:]+:\\d{1,5})*$'

const Environment = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  HARRIER_SQL_PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8123 }),
  HARRIER_DATA_DIR: Type.String({ default: './data' }),
  HARRIER_ADMIN_KEY: secret(),
  HARRIER_ADMIN_SECRET: secret(),
  HARRIER_API_KEY: secret(),
  HARRIER_API_SECRET: secret(),
  HARRIER_TIERS_FILE: Type.Optional(Type.String()),
  HARRIER_DEDUPE_WINDOW: Type.Integer({ minimum: 0, maximum: 31_536_000, default: 3600, description: 'Seconds.' }),
  HARRIER_COMPUTE_STEP_MS: Type.Integer({ minimum: 1, maximum: 3_600_000, default: 500 }),
  HARRIER_AUTOMATIC_SCANS: flag(),
  HARRIER_SCAN_ALLOW_PRIVATE: flag(),
  HARRIER_SCAN_PORTS: Type.String({ pattern: PORTS, default: '21,22,25,53,80,110,143,443,587,993,995,3306,8080,8443' }),
  HARRIER_WEBHOOK_ALLOW_PRIVATE: flag(),
  HARRIER_FEED_FILES_MB: Type.Integer({ minimum: 1, maximum: 1_048_576, default: 8_192, description: 'MiB.' }),
  HARRIER_LOOKUP_INDEX: Type.Enum(['on', 'off'], { default: 'on' }),
  HARRIER_LOOKUP_INDEX_MB: Type.Integer({ minimum: 1, maximum: 16_777_216, default: 16_384, description: 'MiB.' }),
  HARRIER_TRUSTED_PROXIES: Type.Integer({ minimum: 0, maximum: 16, default: 0 }),
  HARRIER_CONNECTIONS_PER_ADDRESS: Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 }),
  HARRIER_DRAIN_MS: Type.Integer({ minimum: 0, maximum: 3_000, default: 1_000, description: 'Milliseconds.' }),
  HARRIER_LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  HARRIER_METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  KAFKA_BROKERS: Type.Optional(Type.String({ pattern: BROKERS })),
  KAFKA_PARTITIONS: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_024 })),
  KAFKA_SESSION_MS: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 300_000, description: 'Milliseconds.' })),
  KAFKA_TLS: flag(),
  KAFKA_SASL_MECHANISM: Type.Optional(Type.Enum(['plain', 'scram-sha-256', 'scram-sha-512'])),
  KAFKA_SASL_USERNAME: Type.Optional(Type.String({ maxLength: 256 })),
  KAFKA_SASL_PASSWORD: Type.Optional(Type.String({ maxLength: 1024 })),
  SCHEMA_REGISTRY_URL: url('https?'),
  CLICKHOUSE_URL: url('https?'),
  CLICKHOUSE_CLUSTER: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' })),
  DATABASE_URL: url('postgres(?:ql)?'),
  SMTP_URL: url('smtps?'),
  HARRIER_URL: url('https?'),
  STRIPE_SECRET_KEY: Type.Optional(Type.String()),
  STRIPE_WEBHOOK_SECRET: Type.Optional(Type.String()),
  ...OIDC_SETTINGS,
})

type Variables = Static<typeof Environment>
type Name = keyof Variables

const validator = Compile(Environment)

/** Descriptions of patterns for error messages. A message never contains the value, because it may be a secret. */
const MEANT: Partial<Record<Name, string>> = {
  HARRIER_ADMIN_KEY: 'must be 16 to 256 printable characters without spaces',
  HARRIER_ADMIN_SECRET: 'must be 16 to 256 printable characters without spaces',
  HARRIER_API_KEY: 'must be 16 to 256 printable characters without spaces',
  HARRIER_API_SECRET: 'must be 16 to 256 printable characters without spaces',
  HARRIER_SCAN_PORTS: 'must be comma-separated port numbers',
  HARRIER_URL: 'must be an http:// or https:// URL',
  KAFKA_BROKERS: 'must be comma-separated host:port pairs',
  SCHEMA_REGISTRY_URL: 'must be an http:// or https:// URL',
  CLICKHOUSE_URL: 'must be an http:// or https:// URL',
  CLICKHOUSE_CLUSTER: 'must be 1 to 100 characters: letters, digits, _, . or -',
  DATABASE_URL: 'must be a postgresql:// URL',
  SMTP_URL: 'must be an smtp:// or smtps:// URL',
}

/** As `HOST`: addresses of this machine that no other one reaches. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

export type Config = ReturnType<typeof configOf>

/**
 * The configuration from the environment. Unknown variables are ignored; empty ones count as unset.
 * Throws an Error that lists every fault: `bad configuration:` and one line for each.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(Environment.properties)) {
    const { type, default: fallback } = property as { type?: unknown; default?: unknown }
    const text = env[name]?.trim() ?? ''
    if (text !== '') given[name] = fromText(type, text)
    else if (fallback !== undefined) given[name] = fallback
  }
  const faults = [...variableFaults(given), ...jointFaults(given)]
  if (faults.length > 0) throw new Error(`bad configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  return configOf(given as Variables)
}

function variableFaults(given: Record<string, unknown>): string[] {
  const faults = new Map<string, string>()
  for (const fault of validator.Errors(given)) {
    const name = fault.instancePath.slice(1)
    const { allowedValues } = fault.params as { allowedValues?: string[] }
    const why = allowedValues === undefined ? fault.message : `must be one of ${allowedValues.join(', ')}`
    if (!faults.has(name)) faults.set(name, `${name} ${MEANT[name as Name] ?? why}`)
  }
  return [...faults.values()]
}

/** Faults of combinations of variables, and faults that a pattern cannot express. */
function jointFaults(given: Record<string, unknown>): string[] {
  const faults: string[] = []
  const { HARRIER_ADMIN_KEY: key, HARRIER_ADMIN_SECRET: value, HARRIER_SCAN_PORTS: ports } = given
  if ((key === undefined) !== (value === undefined)) {
    faults.push('HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET must be set together')
  }
  if ((given.HARRIER_API_KEY === undefined) !== (given.HARRIER_API_SECRET === undefined)) {
    faults.push('HARRIER_API_KEY and HARRIER_API_SECRET must be set together')
  }
  if ((given.STRIPE_SECRET_KEY === undefined) !== (given.STRIPE_WEBHOOK_SECRET === undefined)) {
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together')
  }
  faults.push(...kafkaFaults(given), ...oidcFaults(given))
  if (given.KAFKA_PARTITIONS !== undefined && given.KAFKA_BROKERS === undefined) {
    faults.push('KAFKA_PARTITIONS requires KAFKA_BROKERS; the embedded log has a fixed number')
  }
  if (given.KAFKA_SESSION_MS !== undefined && given.KAFKA_BROKERS === undefined)
    faults.push('KAFKA_SESSION_MS requires KAFKA_BROKERS')
  if (given.CLICKHOUSE_CLUSTER !== undefined && given.CLICKHOUSE_URL === undefined) {
    faults.push('CLICKHOUSE_CLUSTER requires CLICKHOUSE_URL; the embedded engine cannot be a cluster')
  }
  if (typeof ports === 'string' && list(ports).some((port) => Number(port) < 1 || Number(port) > 65_535)) {
    faults.push('HARRIER_SCAN_PORTS must be ports between 1 and 65535')
  }
  return faults
}

const SASL = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const

/** An incomplete SASL configuration, or TLS or SASL without brokers, is a mistake. */
function kafkaFaults(given: Record<string, unknown>): string[] {
  const faults: string[] = []
  const sasl = SASL.filter((name) => given[name] !== undefined)
  if (sasl.length > 0 && sasl.length < SASL.length) faults.push(`${SASL.join(', ')} must be set together`)
  const secured = [...(given.KAFKA_TLS === true ? ['KAFKA_TLS'] : []), ...sasl]
  if (secured.length > 0 && given.KAFKA_BROKERS === undefined) faults.push(`${secured[0]} requires KAFKA_BROKERS`)
  if (given.KAFKA_SASL_MECHANISM === 'plain' && given.KAFKA_TLS !== true)
    faults.push('KAFKA_SASL_MECHANISM plain requires KAFKA_TLS; otherwise the password is sent unencrypted')
  return faults
}

const list = (text: string): string[] => text.split(',').map((item) => item.trim())

const kafkaSecurity = (env: Variables) => ({
  tls: env.KAFKA_TLS,
  sasl:
    env.KAFKA_SASL_MECHANISM === undefined || env.KAFKA_SASL_USERNAME === undefined || !env.KAFKA_SASL_PASSWORD
      ? null
      : {
          mechanism: env.KAFKA_SASL_MECHANISM,
          username: env.KAFKA_SASL_USERNAME,
          password: env.KAFKA_SASL_PASSWORD,
        },
})

const configOf = (env: Variables) => ({
  port: env.PORT,
  host: env.HOST,
  /** Nobody on another machine reaches it. */
  isLocal: LOOPBACK.has(env.HOST),
  /** Where the embedded engine answers SQL, on loopback; 0 is any free port. */
  sqlPort: env.HARRIER_SQL_PORT,
  dataDir: env.HARRIER_DATA_DIR,
  /** The key pair of the built-in administrator, or null. */
  administrator:
    env.HARRIER_ADMIN_KEY === undefined || env.HARRIER_ADMIN_SECRET === undefined
      ? null
      : { key: env.HARRIER_ADMIN_KEY, secret: env.HARRIER_ADMIN_SECRET },
  /** As whom commands ask a running platform, or null: as the administrator. */
  caller:
    env.HARRIER_API_KEY === undefined || env.HARRIER_API_SECRET === undefined
      ? null
      : { key: env.HARRIER_API_KEY, secret: env.HARRIER_API_SECRET },
  tiersFile: env.HARRIER_TIERS_FILE ?? null,
  dedupeWindowMs: env.HARRIER_DEDUPE_WINDOW * 1000,
  computeStepMs: env.HARRIER_COMPUTE_STEP_MS,
  automaticScans: env.HARRIER_AUTOMATIC_SCANS,
  scanAllowPrivate: env.HARRIER_SCAN_ALLOW_PRIVATE,
  scanPorts: list(env.HARRIER_SCAN_PORTS).map(Number),
  webhookAllowPrivate: env.HARRIER_WEBHOOK_ALLOW_PRIVATE,
  /** Of the lists of feeds that the API keeps as files, in bytes: what was not asked for longest goes. */
  feedFilesBytes: env.HARRIER_FEED_FILES_MB * 1024 ** 2,
  /** Whether look-ups read an index of this host (decisions 18.6), and the most that it takes on the disk, in bytes. */
  lookupIndex: env.HARRIER_LOOKUP_INDEX === 'on',
  lookupIndexBytes: env.HARRIER_LOOKUP_INDEX_MB * 1024 ** 2,
  trustedProxies: env.HARRIER_TRUSTED_PROXIES,
  /** Open connections of one client; null behind proxies, which all connections come from. */
  connectionsPerAddress: env.HARRIER_TRUSTED_PROXIES > 0 ? null : env.HARRIER_CONNECTIONS_PER_ADDRESS,
  /** How long the API continues to accept connections after it was signalled to stop. */
  drainMs: env.HARRIER_DRAIN_MS,
  /** Where a process shows its metrics and whether it works, without credentials; null: nowhere. */
  metricsPort: env.HARRIER_METRICS_PORT ?? null,
  logLevel: env.HARRIER_LOG_LEVEL,
  /** What leaves an embedded default; null keeps it. */
  kafkaBrokers: env.KAFKA_BROKERS === undefined ? null : list(env.KAFKA_BROKERS),
  /** How brokers are spoken to. */
  kafkaSecurity: kafkaSecurity(env),
  /** Among how many partitions keys are distributed, chosen when the log is made; null: what it was made with. */
  kafkaPartitions: env.KAFKA_PARTITIONS ?? null,
  /** How long a process that gives no sign of life keeps its partitions, milliseconds. */
  kafkaSessionMs: env.KAFKA_SESSION_MS ?? 30_000,
  schemaRegistryUrl: env.SCHEMA_REGISTRY_URL ?? null,
  clickhouseUrl: env.CLICKHOUSE_URL ?? null,
  /** The cluster that migrations make their tables on; null: a single node. */
  clickhouseCluster: env.CLICKHOUSE_CLUSTER ?? null,
  databaseUrl: env.DATABASE_URL ?? null,
  smtpUrl: env.SMTP_URL ?? null,
  /** Where this platform is reached: by its command line, and by browsers that come back from the payment provider. */
  url: env.HARRIER_URL ?? `http://${env.HOST}:${env.PORT}`,
  /** null: no payment provider. */
  stripe:
    env.STRIPE_SECRET_KEY === undefined || env.STRIPE_WEBHOOK_SECRET === undefined
      ? null
      : { secretKey: env.STRIPE_SECRET_KEY, webhookSecret: env.STRIPE_WEBHOOK_SECRET },
  /** Single sign-on; null: none. */
  oidc: oidcOf(env),
})
