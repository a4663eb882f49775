import type { Command } from 'commander'
import type { DeadLetterContext } from './context.ts'
import { dropCommand } from './drop.ts'
import { listCommand } from './list.ts'
import { replayCommand } from './replay.ts'
import { showCommand } from './show.ts'

/** Adds `dead-letters` to the program. */
export function registerDeadLetters(program: Command, context: DeadLetterContext): void {
  const letters = program
    .command('dead-letters')
    .description('manage dead letters: records that could not be processed')
  listCommand(letters, context)
  showCommand(letters, context)
  replayCommand(letters, context)
  dropCommand(letters, context)
}
