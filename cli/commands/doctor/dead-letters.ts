import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import { type Check, ok, warn } from './finding.ts'

/** Records that nobody has decided about. */
export const deadLettersCheck = (open: () => Promise<Pick<DeadLetters, 'waiting'>>): Check => ({
  name: 'dead letters',
  todo: 'docs/runbooks/dead-letters.md',
  async run() {
    const box = await open()
    const waiting = [...(await box.waiting())].filter(([, letters]) => letters > 0)
    if (waiting.length === 0) return [ok('none wait')]
    return waiting.map(([topic, letters]) =>
      warn(
        `${letters} of ${topic} wait to be looked at`,
        `harrier dead-letters list ${topic} (docs/runbooks/dead-letters.md)`,
      ),
    )
  },
})
