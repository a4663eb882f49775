import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Consumers that stopped because too much was dead. */
export const breakersCheck = (breakers: Pick<Breakers, 'list'>): Check => ({
  name: 'breakers',
  todo: 'docs/runbooks/breaker.md',
  async run() {
    const open = (await breakers.list()).filter((state) => state.open)
    if (open.length === 0) return [ok('no breaker is open')]
    return open.map(({ group, source, topic, reasons }) =>
      source !== null
        ? warn(
            `${source} stands alone in ${group}, its dead records become dead letters: ${reasons.join('; ')}`,
            `docs/runbooks/breaker.md, then: harrier breaker close ${group} --source '${source}'`,
          )
        : fail(
            `${group} reads ${topic} no more: ${reasons.join('; ')}`,
            `docs/runbooks/breaker.md, then: harrier breaker close ${group}`,
          ),
    )
  },
})
