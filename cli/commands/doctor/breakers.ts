import type { Breakers } from '../../../connectors/operations/breakers/port.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Reports open circuit breakers and isolated sources. */
export const breakersCheck = (breakers: Pick<Breakers, 'list'>): Check => ({
  name: 'breakers',
  todo: 'docs/runbooks/breaker.md',
  async run() {
    const open = (await breakers.list()).filter((state) => state.open)
    if (open.length === 0) return [ok('no circuit breaker is open')]
    return open.map(({ group, source, topic, reasons }) =>
      source !== null
        ? warn(
            `the source ${source} is isolated in ${group}; its bad records become dead letters: ${reasons.join('; ')}`,
            `see docs/runbooks/breaker.md, then run: harrier breaker close ${group} --source '${source}'`,
          )
        : fail(
            `the circuit breaker of ${group} is open; ${group} does not read ${topic}: ${reasons.join('; ')}`,
            `see docs/runbooks/breaker.md, then run: harrier breaker close ${group}`,
          ),
    )
  },
})
