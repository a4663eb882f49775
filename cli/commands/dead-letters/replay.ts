import type { Command } from 'commander'
import { type DeadLetterContext, withBox } from './context.ts'
import { confirm, formatOutcome, type SelectionOptions, selectionOf, withSelection } from './selection.ts'

/** `dead-letters replay` */
export function replayCommand(letters: Command, context: DeadLetterContext): void {
  const command = letters
    .command('replay [ids...]')
    .description('write the original records to their topics again, after the cause was fixed')
  withSelection(command).action(async (ids: string[], options: SelectionOptions) => {
    const selection = selectionOf(ids, options)
    await withBox(context, async (box) => {
      const planned = await box.replay(selection, context.by, { dryRun: true })
      const question = `replay ${planned.matched} dead letters`
      if (options.dryRun === true || planned.matched === 0)
        return context.stdout.write(formatOutcome(planned, 'replayed', options))
      if (!(await confirm(context, options, question, planned.matched))) return
      context.stdout.write(formatOutcome(await box.replay(selection, context.by), 'replayed', options))
    })
  })
}
