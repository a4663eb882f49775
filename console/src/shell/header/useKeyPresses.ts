import { useEffect } from 'react'
import { commandOf, type GeneralCommand } from '../../parts/page/keys/commands.ts'
import { pageKeys } from '../../parts/page/keys/page-keys.ts'
import { rowOf } from '../../parts/page/keys/rows.ts'

/** What uses characters itself. A checkbox of a row does not. */
const FIELDS =
  'input:not([type=checkbox]), textarea, select, [role=radiogroup] *, [role=menu] *, [role=listbox] *, [role=combobox]'
const DIALOG = '[role=dialog], [role=alertdialog]'

const isTypedIn = (target: Element): boolean =>
  target.matches(FIELDS) || (target instanceof HTMLElement && target.isContentEditable)

/** Runs the commands of keys: those of every page, and those that the open page registered. */
export function useKeyPresses(letters: boolean, general: Readonly<Record<GeneralCommand, () => void>>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const target = event.target instanceof Element ? event.target : document.body
      const row = rowOf(target)
      const keys = pageKeys()
      const command = commandOf(event, {
        inField: isTypedIn(target) || document.querySelector(DIALOG) !== null,
        inList: row !== null,
        letters,
        pageKeys: keys.map(({ key }) => key),
      })
      if (command === null) return
      event.preventDefault()
      if ('general' in command) general[command.general]()
      // A key that is held down does once what it does.
      else if (!event.repeat) keys.find(({ key }) => key === command.page)?.run(row?.dataset.row ?? null)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}
