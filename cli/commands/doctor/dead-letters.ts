import type { DeadLetters } from '../../../connectors/operations/dead-letters/port.ts'
import { type Check, ok, warn } from './finding.ts'

/** Reports dead letters that are neither replayed nor dropped. */
export const deadLettersCheck = (open: () => Promise<Pick<DeadLetters, 'waiting'>>): Check => ({
  name: 'dead letters',
  todo: 'docs/runbooks/dead-letters.md',
  async run() {
    const box = await open()
    const waiting = [...(await box.waiting())].filter(([, letters]) => letters > 0)
    if (waiting.length === 0) return [ok('no dead letters are waiting')]
    return waiting.map(([topic, letters]) =>
      warn(
        `${letters} dead letters of ${topic} are waiting`,
        `run: harrier dead-letters list ${topic} (docs/runbooks/dead-letters.md)`,
      ),
    )
  },
})
