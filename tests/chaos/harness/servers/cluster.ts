import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { remove, temporaryFolder } from '../../../builders/platform/platform.ts'
import { freePair } from './broker.ts'

const SCRIPT = fileURLToPath(new URL('../../../../infra/dev/kafka.sh', import.meta.url))
/** As `infra/dev/kafka.sh` has them, for brokers that do not live long. */
const SHORT_LIVED = [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:-BytecodeVerificationRemote',
  '-Xms96m',
  '-Xmx256m',
]
const NODES = 3
const STARTED_MS = 60_000

export type Cluster = {
  /** host:port of all three. */
  brokers: string
  /** SIGKILL; resolves when it is gone. */
  kill(node: number): Promise<void>
  /** Again on the same data; resolves when it answers. */
  start(node: number): Promise<void>
  /** Ends all of them and removes their data. */
  remove(): Promise<void>
}

type Node = { id: number; port: number; folder: string; process: ChildProcess | null }

/**
 * Three Apache Kafkas (KRaft, each a broker and a controller) as in production: every record on all of them, and two have to
 * have it before it is acknowledged. Needs Java 17, and Maven where the jars are not there.
 */
export async function startCluster(): Promise<Cluster> {
  const folder = temporaryFolder()
  const jars = execFileSync('bash', [SCRIPT, 'jars'], { encoding: 'utf8' }).trim()
  const nodes: Node[] = []
  for (let id = 1, port = 0; id <= NODES; id++) {
    port = await (port === 0 ? freePair() : freePair(port + 2))
    nodes.push({ id, port, folder: join(folder, String(id)), process: null })
  }
  for (const node of nodes) configure(node, nodes)
  format(nodes, jars)
  const end = (): void => {
    for (const { process } of nodes) process?.kill('SIGKILL')
  }
  process.once('exit', end)

  async function start(node: Node): Promise<void> {
    const said = openSync(join(node.folder, 'broker.log'), 'a')
    const logging = `-Dlog4j2.configurationFile=${join(node.folder, 'log.properties')}`
    const args = [...SHORT_LIVED, logging, '-cp', `${jars}/*`, 'kafka.Kafka', join(node.folder, 'server.properties')]
    const child = spawn('java', args, { stdio: ['ignore', said, said] })
    node.process = child
    for (const until = performance.now() + STARTED_MS; !(await answers(node.port)); await sleep(100))
      if (child.exitCode !== null || performance.now() > until)
        throw new Error(
          `broker ${node.id} does not start: ${readFileSync(join(node.folder, 'broker.log'), 'utf8').slice(-2_000)}`,
        )
  }

  async function kill(node: Node): Promise<void> {
    const child = node.process
    if (child === null) return
    node.process = null
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await gone
    }
  }

  // A controller answers once two of them have found each other.
  await Promise.all(nodes.map(start))
  return {
    brokers: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
    kill: (node) => kill(nodes[node]!),
    start: (node) => start(nodes[node]!),
    async remove() {
      process.off('exit', end)
      await Promise.all(nodes.map(kill))
      remove(folder)
    },
  }
}

function configure({ id, port, folder }: Node, nodes: readonly Node[]): void {
  mkdirSync(folder, { recursive: true })
  const voters = nodes.map((node) => `${node.id}@127.0.0.1:${node.port + 1}`).join(',')
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': voters,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': join(folder, 'logs'),
    'auto.create.topics.enable': false,
    'default.replication.factor': NODES,
    'min.insync.replicas': 2,
    'offsets.topic.replication.factor': NODES,
    'offsets.topic.num.partitions': 6,
    'transaction.state.log.replication.factor': NODES,
    'transaction.state.log.min.isr': 2,
    'share.coordinator.state.topic.replication.factor': NODES,
    'share.coordinator.state.topic.min.isr': 2,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
  }
  const lines = (of: object): string =>
    `${Object.entries(of)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n')}\n`
  writeFileSync(join(folder, 'server.properties'), lines(settings))
  const logging = {
    status: 'error',
    'appender.0.type': 'Console',
    'appender.0.name': 'out',
    'appender.0.layout.type': 'PatternLayout',
    'appender.0.layout.pattern': '%d %p %c: %m%n',
    'rootLogger.level': 'warn',
    'rootLogger.appenderRef.0.ref': 'out',
  }
  writeFileSync(join(folder, 'log.properties'), lines(logging))
}

/** The tool of Kafka takes a JVM: what it makes for the first node is the same for the others, but for the ids. */
function format(nodes: readonly Node[], jars: string): void {
  const [first, ...others] = nodes as [Node, ...Node[]]
  const tool = ['-cp', `${jars}/*`, 'kafka.tools.StorageTool', 'format']
  const settings = join(first.folder, 'server.properties')
  execFileSync('java', [...SHORT_LIVED, ...tool, '-t', uuid(), '-c', settings], { stdio: 'pipe' })
  for (const { id, folder } of others) {
    cpSync(join(first.folder, 'logs'), join(folder, 'logs'), { recursive: true })
    const meta = join(folder, 'logs', 'meta.properties')
    const own = readFileSync(meta, 'utf8')
      .replace(/^node\.id=.*$/m, `node.id=${id}`)
      .replace(/^directory\.id=.*$/m, `directory.id=${uuid()}`)
    writeFileSync(meta, own)
  }
}

/** As Kafka writes them; one that begins with - would be an option. */
const uuid = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
