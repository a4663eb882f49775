import { Badge, VisuallyHidden } from '@mantine/core'
import { badgeText, type Wait } from './waits.ts'

/** The number beside an entry of a menu; read aloud, it says what waits. Nothing without a wait. */
export function WaitBadge({ of }: { of: Wait | undefined }) {
  if (of === undefined) return null
  return (
    <>
      <Badge color="red.9" size="sm" circle={of.count < 10} title={of.text} aria-hidden data-testid="waits">
        {badgeText(of.count)}
      </Badge>
      <VisuallyHidden>, {of.text}</VisuallyHidden>
    </>
  )
}
