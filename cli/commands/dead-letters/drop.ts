import { type Command, InvalidArgumentError } from 'commander'
import { type DeadLetterContext, withBox } from './context.ts'
import { confirm, formatOutcome, type SelectionOptions, selectionOf, withSelection } from './selection.ts'

const MAX_NOTE = 500

/** `dead-letters drop` */
export function dropCommand(letters: Command, context: DeadLetterContext): void {
  const command = letters
    .command('drop [ids...]')
    .description('mark dead letters as resolved without a replay; they stay readable for 30 days')
    .requiredOption('--note <text>', `reason, at most ${MAX_NOTE} characters`, note)
  withSelection(command).action(async (ids: string[], options: SelectionOptions & { note: string }) => {
    const selection = selectionOf(ids, options)
    await withBox(context, async (box) => {
      const planned = await box.drop(selection, context.by, options.note, { dryRun: true })
      if (options.dryRun === true || planned.matched === 0)
        return context.stdout.write(formatOutcome(planned, 'dropped', options))
      if (!(await confirm(context, options, `drop ${planned.matched} dead letters`, planned.matched))) return
      context.stdout.write(formatOutcome(await box.drop(selection, context.by, options.note), 'dropped', options))
    })
  })
}

function note(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_NOTE) return text
  throw new InvalidArgumentError(`Expected a text of 1 to ${MAX_NOTE} characters.`)
}
