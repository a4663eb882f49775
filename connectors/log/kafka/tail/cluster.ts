import type { Kafka } from 'kafkajs'

/** What the client does for its consumers with brokers, as far as a tail needs it; its public face has only groups. */
export type Cluster = {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  refreshMetadata(): Promise<void>
  findTopicPartitionMetadata(topic: string): { partitionId: number; leader: number }[]
  /** Connected; looks for the brokers anew when it is not there. */
  findBroker(of: { nodeId: string }): Promise<Broker>
  removeBroker(at: { host: string; port: number }): void
  brokerPool: { brokers: Record<string, Broker>; seedBroker: Broker | undefined }
}

export type Broker = {
  connectionPool: {
    host: string
    port: number
    send<T>(request: ProtocolRequest<T>): Promise<T>
    map(each: (connection: { rejectRequests(error: Error): void }) => void): void
  }
  disconnect(): Promise<void>
}

export type ProtocolRequest<T> = {
  request: object
  response: {
    decode(bytes: Buffer): Promise<T & { clientSideThrottleTime: number }>
    parse(decoded: T): Promise<T>
  }
  requestTimeout: number
}

const CREATE = 'private:Kafka:createCluster'
/** Records of a transaction once it is committed, as the client's consumers read them. */
export const READ_COMMITTED = 1

/** Connections of their own with the client's settings: a request that waits for records keeps what follows it waiting. */
export function clusterOf(kafka: Kafka): Cluster {
  const key = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE)
  const { [key!]: create } = kafka as unknown as Record<symbol, (options: object) => Cluster>
  return create!({ allowAutoTopicCreation: false, isolationLevel: READ_COMMITTED })
}

/** Ends the connections to a broker now, also where it does not answer any more: what waits for it fails. */
export function cutOff(broker: Broker): void {
  const { host, port } = broker.connectionPool
  const error = new Error(`the connection to ${host}:${port} was given up`)
  broker.connectionPool.map((connection) => connection.rejectRequests(error))
  broker.disconnect().catch(() => undefined)
}
