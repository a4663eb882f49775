import { Button } from '@mantine/core'

/** Turns live mode on and off. Small, because pages have it before they load what live mode needs. */
export function LiveSwitch({ on, change }: { on: boolean; change: (on: boolean) => void }) {
  return (
    <Button size="sm" role="switch" aria-checked={on} variant={on ? 'filled' : 'default'} onClick={() => change(!on)}>
      <span aria-hidden style={{ marginRight: 6 }}>
        {on ? '●' : '○'}
      </span>
      Live
    </Button>
  )
}
