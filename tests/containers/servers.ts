import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { freePort } from '../builders/network/free-port.ts'

export type Server = {
  /** The variable of the environment that names the server to the platform and to the suites. */
  variable: 'KAFKA_BROKERS' | 'SCHEMA_REGISTRY_URL' | 'CLICKHOUSE_URL' | 'DATABASE_URL'
  start(): Promise<StartedTestContainer>
  /** The value of the variable. */
  address(container: StartedTestContainer): string
}

const PASSWORD = 'containers'
const START_MS = 180_000

/** One throwaway server of each kind that the platform can use, on ports that the engine or the system chose. */
export const servers = (image: (service: string) => string, host: string): Server[] => [
  kafka(image('kafka'), host),
  {
    variable: 'SCHEMA_REGISTRY_URL',
    start: () =>
      new GenericContainer(image('registry'))
        .withExposedPorts(8080)
        .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080))
        .withStartupTimeout(START_MS)
        .start(),
    address: (container) => `${http(container, 8080)}/apis/ccompat/v7`,
  },
  {
    variable: 'CLICKHOUSE_URL',
    start: () =>
      new GenericContainer(image('clickhouse'))
        .withEnvironment({ CLICKHOUSE_DB: 'harrier', CLICKHOUSE_USER: 'harrier', CLICKHOUSE_PASSWORD: PASSWORD })
        .withUlimits({ nofile: { soft: 262_144, hard: 262_144 } })
        .withExposedPorts(8123)
        .withWaitStrategy(Wait.forHttp('/ping', 8123))
        .withStartupTimeout(START_MS)
        .start(),
    address: (container) => http(container, 8123).replace('//', `//harrier:${PASSWORD}@`),
  },
  {
    variable: 'DATABASE_URL',
    start: () =>
      new GenericContainer(image('postgres'))
        .withEnvironment({ POSTGRES_USER: 'harrier', POSTGRES_DB: 'harrier', POSTGRES_PASSWORD: PASSWORD })
        .withExposedPorts(5432)
        // Twice: the first server only prepares the folder.
        .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
        .withStartupTimeout(START_MS)
        .start(),
    address: (container) =>
      `postgres://harrier:${PASSWORD}@${container.getHost()}:${container.getMappedPort(5432)}/harrier`,
  },
]

/** A broker tells its clients where it is, so its port outside has to be known before it starts. */
function kafka(image: string, host: string): Server {
  return {
    variable: 'KAFKA_BROKERS',
    async start() {
      const port = await freePort()
      return new GenericContainer(image)
        .withEnvironment({
          KAFKA_NODE_ID: '1',
          KAFKA_PROCESS_ROLES: 'broker,controller',
          KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
          KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
          KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
          KAFKA_LISTENERS: 'CONTROLLER://:9093,PLAINTEXT://:9092',
          KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${host}:${port}`,
          KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
          KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
          KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
          KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
          KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
          KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: '1000',
        })
        .withExposedPorts({ container: 9092, host: port })
        .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
        .withStartupTimeout(START_MS)
        .start()
    },
    address: (container) => `${container.getHost()}:${container.getMappedPort(9092)}`,
  }
}

const http = (container: StartedTestContainer, port: number): string =>
  `http://${container.getHost()}:${container.getMappedPort(port)}`
