import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useCaller } from '../../session/caller.ts'
import { useFocusBack } from '../page/useFocusBack.ts'
import type { Suggestion } from './suggest.ts'

const WatchDialog = lazy(() => import('./WatchDialog.tsx'))

/** Puts something on the screen on a watchlist. Only members of a team have watchlists; others see no button. */
export function WatchButton({ suggestions }: { suggestions: readonly Suggestion[] }) {
  const caller = useCaller()
  const [opened, setOpened] = useState(false)
  const button = useFocusBack(opened)
  if (!caller?.customer || suggestions.length === 0) return null
  return (
    <>
      <Button
        ref={button}
        size="xs"
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Watch
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <WatchDialog suggestions={suggestions} close={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
