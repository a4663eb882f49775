/** The stages of `make test`, in their order, each with what it may cost (docs/contribute/checks.md). */

export type Stage = {
  name: string
  /** A program with its arguments; a stage of tests is a run of Vitest. */
  command: readonly string[]
  /** On two quiet cores. More is a warning, as machines differ. */
  budget: { seconds: number; cpuSeconds: number }
  /** `used`: tests on servers are skipped with a message where the environment names none; `needed`: all of them are. */
  servers: 'none' | 'used' | 'needed'
  /** Those that are, one after the other, run while the others do: each waits for much of its time. */
  isBeside?: true
  /** Not part of a usual run: it runs where it is named, before a release and from time to time. */
  isLong?: true
}

/** Of files at a time: each waits part of its time (ADR 285), and other stages run beside. */
const WORKERS = '--maxWorkers=3'
const WORKERS_BESIDE = '--maxWorkers=2'
const vitest = (...args: string[]) => ['npx', 'vitest', 'run', ...args]
/** What runs on servers alone, with several processes of each role; a project of its own in vitest.config.ts. */
export const ON_SERVERS = [
  'tests/e2e/operation/several-processes.test.ts',
  'tests/e2e/accounts/keycloak.test.ts',
  'tests/chaos/several-processes.test.ts',
  'tests/chaos/three-brokers.test.ts',
]

export const STAGES: readonly Stage[] = [
  { name: 'check', command: ['make', 'check'], budget: { seconds: 40, cpuSeconds: 70 }, servers: 'none' },
  {
    name: 'unit',
    command: vitest('--project', 'unit', WORKERS),
    budget: { seconds: 110, cpuSeconds: 200 },
    servers: 'none',
  },
  {
    name: 'e2e',
    command: vitest('--project', 'platform', WORKERS, 'tests/e2e'),
    budget: { seconds: 300, cpuSeconds: 550 },
    servers: 'none',
  },
  {
    name: 'servers',
    command: vitest(
      // One after the other: on one broker, the jobs of two platforms would take each other's records.
      ...['--project', 'platform', '--project', 'servers', '--no-file-parallelism'],
      'tests/e2e/intelligence/indicator.test.ts',
      ...['tests/e2e/operation/image.test.ts', ...ON_SERVERS],
    ),
    budget: { seconds: 240, cpuSeconds: 180 },
    servers: 'needed',
    isBeside: true,
  },
  {
    name: 'chaos',
    command: vitest('--project', 'platform', WORKERS_BESIDE, 'tests/chaos'),
    budget: { seconds: 200, cpuSeconds: 150 },
    servers: 'none',
    isBeside: true,
  },
  {
    name: 'contract',
    command: vitest('--project', 'platform', WORKERS_BESIDE, 'tests/contract'),
    budget: { seconds: 300, cpuSeconds: 330 },
    servers: 'used',
    isBeside: true,
  },
  {
    name: 'long',
    command: vitest('--project', 'long', WORKERS, 'tests/unit', 'tests/e2e', 'tests/chaos'),
    budget: { seconds: 3000, cpuSeconds: 4500 },
    servers: 'none',
    isLong: true,
  },
  {
    name: 'long-contract',
    command: vitest('--project', 'long', WORKERS, 'tests/contract'),
    budget: { seconds: 600, cpuSeconds: 900 },
    servers: 'used',
    isLong: true,
  },
]

/** The variables that name servers. */
const SERVERS = [
  'KAFKA_BROKERS',
  'KAFKA_SASL_BROKERS',
  'SCHEMA_REGISTRY_URL',
  'CLICKHOUSE_URL',
  'DATABASE_URL',
  'KEYCLOAK_URL',
]
/** Without these a stage that needs servers has nothing to run on. */
const NEEDED = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL']

/** What a stage is given of the environment: the servers only where its tests are about them. */
export const environmentOf = (stage: Stage, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  stage.servers === 'none' ? Object.fromEntries(Object.entries(env).filter(([name]) => !SERVERS.includes(name))) : env

/** The servers that a stage needs and the environment does not name. */
export const missingFor = (stage: Stage, env: NodeJS.ProcessEnv): string[] =>
  stage.servers === 'needed' ? NEEDED.filter((name) => !env[name]) : []
