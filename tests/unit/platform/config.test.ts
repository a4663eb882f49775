import { expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config.ts'

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    const [head, ...lines] = (error as Error).message.split('\n')
    expect(head).toBe('bad configuration:')
    return lines.map((line) => line.trim())
  }
}

test('an empty environment is the embedded default', () => {
  expect(loadConfig({ PATH: '/bin', HARRIER_ADMIN_KEY: '', DATABASE_URL: ' ' })).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    administrator: null,
    caller: null,
    sqlPort: 8123,
    dedupeWindowMs: 3_600_000,
    computeStepMs: 500,
    automaticScans: false,
    trustedProxies: 0,
    logLevel: 'info',
    kafkaBrokers: null,
    databaseUrl: null,
  })
})

test('what is set is read as what it means', () => {
  const config = loadConfig({
    PORT: '0',
    HARRIER_ADMIN_KEY: 'k'.repeat(16),
    HARRIER_ADMIN_SECRET: 's'.repeat(16),
    HARRIER_API_KEY: 'a'.repeat(16),
    HARRIER_API_SECRET: 'b'.repeat(16),
    HARRIER_SCAN_PORTS: '80, 443',
    HARRIER_AUTOMATIC_SCANS: 'true',
    KAFKA_BROKERS: 'one:9092, two:9092',
    DATABASE_URL: 'postgresql://user:secret@db/harrier',
  })
  expect(config).toMatchObject({
    port: 0,
    administrator: { key: 'k'.repeat(16), secret: 's'.repeat(16) },
    caller: { key: 'a'.repeat(16), secret: 'b'.repeat(16) },
    scanPorts: [80, 443],
    automaticScans: true,
    kafkaBrokers: ['one:9092', 'two:9092'],
    databaseUrl: 'postgresql://user:secret@db/harrier',
  })
})

test('servers that ask who we are get told', () => {
  const config = loadConfig({
    HARRIER_METRICS_PORT: '9464',
    KAFKA_BROKERS: 'one:9093',
    KAFKA_PARTITIONS: '48',
    KAFKA_SESSION_MS: '6000',
    KAFKA_TLS: 'true',
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_SASL_USERNAME: 'harrier',
    KAFKA_SASL_PASSWORD: '12345',
    CLICKHOUSE_URL: 'https://ch:8443',
    CLICKHOUSE_CLUSTER: 'harrier-1',
  })
  expect(config).toMatchObject({
    metricsPort: 9464,
    kafkaPartitions: 48,
    kafkaSessionMs: 6_000,
    kafkaSecurity: { tls: true, sasl: { mechanism: 'scram-sha-512', username: 'harrier', password: '12345' } },
    clickhouseCluster: 'harrier-1',
  })
  expect(loadConfig({})).toMatchObject({
    metricsPort: null,
    kafkaSecurity: { tls: false, sasl: null },
    kafkaPartitions: null,
    kafkaSessionMs: 30_000,
    clickhouseCluster: null,
  })
})

const cases: { name: string; env: Record<string, string>; want: string }[] = [
  { name: 'a port that is none', env: { PORT: '70000' }, want: 'PORT must be <= 65535' },
  { name: 'a port with a fraction', env: { PORT: '80.5' }, want: 'PORT must be integer' },
  {
    name: 'a flag that is no flag',
    env: { HARRIER_AUTOMATIC_SCANS: 'yes' },
    want: 'HARRIER_AUTOMATIC_SCANS must be boolean',
  },
  {
    name: 'a scan port of 0',
    env: { HARRIER_SCAN_PORTS: '80,0' },
    want: 'HARRIER_SCAN_PORTS must be ports between 1 and 65535',
  },
  {
    name: 'scan ports that are words',
    env: { HARRIER_SCAN_PORTS: 'http' },
    want: 'HARRIER_SCAN_PORTS must be comma-separated port numbers',
  },
  {
    name: 'a database of another kind',
    env: { DATABASE_URL: 'mysql://db' },
    want: 'DATABASE_URL must be a postgresql:// URL',
  },
  {
    name: 'brokers without a port',
    env: { KAFKA_BROKERS: 'one' },
    want: 'KAFKA_BROKERS must be comma-separated host:port pairs',
  },
  {
    name: 'an unknown level',
    env: { HARRIER_LOG_LEVEL: 'loud' },
    want: 'HARRIER_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
  },
  {
    name: 'a key without its secret',
    env: { HARRIER_ADMIN_KEY: 'k'.repeat(16) },
    want: 'HARRIER_ADMIN_KEY and HARRIER_ADMIN_SECRET must be set together',
  },
  {
    name: 'a secret without its key',
    env: { HARRIER_API_SECRET: 'k'.repeat(16) },
    want: 'HARRIER_API_KEY and HARRIER_API_SECRET must be set together',
  },
  {
    name: 'payments that nobody can confirm',
    env: { STRIPE_SECRET_KEY: 'sk_test' },
    want: 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together',
  },
  {
    name: 'a name for brokers without its password',
    env: { KAFKA_BROKERS: 'one:9092', KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'harrier' },
    want: 'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD must be set together',
  },
  {
    name: 'a mechanism that there is not',
    env: {
      KAFKA_BROKERS: 'one:9092',
      KAFKA_SASL_MECHANISM: 'gssapi',
      KAFKA_SASL_USERNAME: 'a',
      KAFKA_SASL_PASSWORD: 'b',
    },
    want: 'KAFKA_SASL_MECHANISM must be one of plain, scram-sha-256, scram-sha-512',
  },
  {
    name: 'a password that would cross the network as it is',
    env: {
      KAFKA_BROKERS: 'one:9092',
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'a',
      KAFKA_SASL_PASSWORD: 'b',
    },
    want: 'KAFKA_SASL_MECHANISM plain requires KAFKA_TLS; otherwise the password is sent unencrypted',
  },
  {
    name: 'partitions of the embedded log',
    env: { KAFKA_PARTITIONS: '48' },
    want: 'KAFKA_PARTITIONS requires KAFKA_BROKERS; the embedded log has a fixed number',
  },
  {
    name: 'more partitions than there may be',
    env: { KAFKA_BROKERS: 'one:9092', KAFKA_PARTITIONS: '1025' },
    want: 'KAFKA_PARTITIONS must be <= 1024',
  },
  {
    name: 'sessions of the embedded log',
    env: { KAFKA_SESSION_MS: '6000' },
    want: 'KAFKA_SESSION_MS requires KAFKA_BROKERS',
  },
  { name: 'TLS to the embedded log', env: { KAFKA_TLS: 'true' }, want: 'KAFKA_TLS requires KAFKA_BROKERS' },
  {
    name: 'a cluster that is the embedded engine',
    env: { CLICKHOUSE_CLUSTER: 'harrier' },
    want: 'CLICKHOUSE_CLUSTER requires CLICKHOUSE_URL; the embedded engine cannot be a cluster',
  },
  {
    name: 'a cluster whose name could not be written into a statement',
    env: { CLICKHOUSE_CLUSTER: "a' b", CLICKHOUSE_URL: 'http://ch:8123' },
    want: 'CLICKHOUSE_CLUSTER must be 1 to 100 characters: letters, digits, _, . or -',
  },
  {
    name: 'an address of its own that is none',
    env: { HARRIER_URL: 'harrier.example' },
    want: 'HARRIER_URL must be an http:// or https:// URL',
  },
]
for (const { name, env, want } of cases) test(`config refuses ${name}`, () => expect(faultsOf(env)).toEqual([want]))

test('every fault is listed at once, and no secret is repeated', () => {
  const faults = faultsOf({
    PORT: 'http',
    HARRIER_ADMIN_KEY: 'k'.repeat(16),
    HARRIER_ADMIN_SECRET: 'hunter2',
    CLICKHOUSE_URL: 'ftp://:hunter2@db',
    HARRIER_DEDUPE_WINDOW: '-1',
    HARRIER_TRUSTED_PROXIES: '99',
  })
  expect(faults).toHaveLength(5)
  expect(faults.join('\n')).not.toContain('hunter2')
})
