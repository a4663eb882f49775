import { ActionIcon } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { GeneralCommand } from '../../parts/page/keys/commands.ts'
import { moveFocus } from '../../parts/page/keys/rows.ts'
import { useFocusBack } from '../../parts/page/useFocusBack.ts'
import { focusSearch } from './search-box.ts'
import { useKeyPresses } from './useKeyPresses.ts'

const KeyHelp = lazy(() => import('./KeyHelp.tsx'))

/** Listens to the keys of all pages; a button shows them, also when single characters are switched off. */
export function Keys() {
  const [shown, setShown] = useState<boolean | null>(null)
  // The name is that of the first page that had keys: who switched them off there finds them off.
  const [letters, setLetters] = useLocalStorage({ key: 'harrier.triage.letters', defaultValue: true })
  const before = useFocusBack<HTMLElement>(shown === true)
  const show = (): void => {
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setShown(true)
  }
  const commands: Record<GeneralCommand, () => void> = {
    search: focusSearch,
    help: show,
    next: () => moveFocus(1),
    previous: () => moveFocus(-1),
  }
  useKeyPresses(letters, commands)
  return (
    <>
      <ActionIcon variant="default" size="lg" visibleFrom="sm" aria-label="Keyboard shortcuts" onClick={show}>
        <IconKeyboard size={18} aria-hidden />
      </ActionIcon>
      {shown !== null && (
        <Suspense fallback={null}>
          <KeyHelp opened={shown} close={() => setShown(false)} letters={letters} setLetters={setLetters} />
        </Suspense>
      )}
    </>
  )
}
