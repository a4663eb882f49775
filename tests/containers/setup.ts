import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers'
import { readCompose } from '../builders/infra/compose.ts'
import { type Server, servers } from './servers.ts'

/** A server that the environment names already is used as it is. */
const missing = ({ variable }: Server): boolean => (process.env[variable] ?? '') === ''

/**
 * Before the tests: when a container engine answers, starts every server that the environment does not name and names
 * it there, for the suites that look; when none answers, the environment stays as it is and they skip. The images are
 * those of infra/compose.yaml.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const engine = await getContainerRuntimeClient().catch((error: Error) => error)
  if (engine instanceof Error) {
    process.stderr.write(`no container engine answers (${engine.message}): tests of servers are skipped\n`)
    return undefined
  }
  const image = (service: string): string => readCompose(PLACEHOLDERS).services[service]!.image!
  const started: StartedTestContainer[] = []
  const stop = async () => void (await Promise.allSettled(started.map((container) => container.stop())))
  const all = servers(image, engine.info.containerRuntime.host).filter(missing)
  const outcomes = await Promise.allSettled(
    all.map(async ({ variable, start, address }) => {
      const container = await start()
      started.push(container)
      process.env[variable] = address(container)
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed === undefined) return stop
  await stop()
  throw failed.reason
}

/** Only the images are of interest here. */
const PLACEHOLDERS: Readonly<Record<string, string>> = new Proxy({}, { get: () => 'placeholder' })
